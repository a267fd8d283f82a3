-- Release of all permits of an attempt but one (R20). KEYS lock; ARGV token, cool-down, permits, the permit to keep
-- or 0.
local heard = 0
for i = 1, tonumber(ARGV[3]) do
	local key = KEYS[1] .. ':permit:' .. i
	if i ~= tonumber(ARGV[4]) and redis.call('GET', key) == ARGV[1] then
		if ARGV[2] == '0' then
			redis.call('DEL', key)
			heard = math.max(heard, announce(KEYS[1]))
		else
			redis.call('PEXPIRE', key, ARGV[2])
			redis.call('SET', key, '~cooldown', 'PX', ARGV[2])
		end
	end
end
return heard
