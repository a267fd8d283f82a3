-- The usual case of release.lua: one name, and no claim waits (R8, R18). A name that cools down has no owner: a repeated
-- release leaves it alone.
-- KEYS locks, and for each its queue and the ends; ARGV owner, the cool-down or 0 and, to stand in the queue behind it, a
-- ticket and its life, and 1 if its own round failed. A cool-down of 0 may be left out if nothing follows. Returns how many
-- tickets wait, counting two of each name at most.
local call, cooldown, n, owners, first, queued = redis.call, ARGV[2] or '0', #KEYS / 3, nil, nil, 0
local owner = call('GETRANGE', KEYS[1], '0', '1023')
if n == 1 and owner == ARGV[1] and cooldown == '0' then
	call('DEL', KEYS[1])
	local tickets = call('ZRANGE', KEYS[2], '0', '1')
	queued = #tickets
	if queued == 0 and not ARGV[3] then
		return 0
	end
	owners, first = {''}, {tickets}
else
	owners, first = {}, {}
	for i = 1, n do
		owners[i] = i == 1 and owner or call('GETRANGE', KEYS[i], 0, 1023)
		if owners[i] == ARGV[1] then
			if cooldown == '0' then
				call('DEL', KEYS[i])
				owners[i] = ''
			else
				call('PEXPIRE', KEYS[i], cooldown) -- allowed when memory is full
				call('SET', KEYS[i], '~cooldown', 'PX', cooldown)
				owners[i] = '~cooldown'
			end
		else
			owners[-i] = true -- it was not freed here
		end
		first[i] = call('ZRANGE', KEYS[i] .. ':line', 0, 1)
		queued = queued + #first[i]
	end
	if queued == 0 and not ARGV[3] then
		return 0
	end
end
