-- Release of all permits of an attempt but one (R20). KEYS lock, queue, its ends and the permits; ARGV owner,
-- cool-down, permits, the permit to keep or 0 and, to stand in the queue behind it, a ticket and its life, and 1 if its
-- own round failed. Returns how many tickets wait.
local freed = false
for i = 1, tonumber(ARGV[3]) do
	local key = KEYS[3 + i]
	if i ~= tonumber(ARGV[4]) and redis.call('GETRANGE', key, 0, 1023) == ARGV[1] then
		if ARGV[2] == '0' then
			redis.call('DEL', key)
			freed = true
		else
			redis.call('PEXPIRE', key, ARGV[2])
			redis.call('SET', key, '~cooldown', 'PX', ARGV[2])
		end
	end
end
if ARGV[5] then
	register(KEYS[1], ARGV[5], ARGV[6])
end
if freed or ARGV[5] then
	pass_on(KEYS[1], 'free', freed, ARGV[7] and ARGV[5])
end
return redis.call('ZCARD', KEYS[1] .. ':ends')
