-- Release of a reader (R19): the first to leave does not free the others. Where the turn from a writer has not arrived,
-- the key is still the writer's. KEYS locks, and for each its readers, queue and ends; ARGV owner, what is left of the
-- cool-down (R18) and, to stand in the queue behind it, a ticket and its life, and 1 if its
-- own round failed. Returns how many tickets wait. A server whose memory is full allows a ZREM, and then the rest of
-- the script.
local n = #KEYS / 4
local owners, first, freed, queued = {}, {}, {}, 0
for i = 1, n do
	local readers = KEYS[i] .. ':readers'
	redis.call('ZREM', readers, ARGV[2] == '0' and ARGV[1] or '')
	if ARGV[2] ~= '0' and redis.call('ZSCORE', readers, ARGV[1]) then
		redis.call('ZADD', readers, string.format('%.0f', clock() + ARGV[2]), ARGV[1])
	end
	purge(readers)
	owners[i] = redis.call('GETRANGE', KEYS[i], 0, 1023)
	local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
	if owners[i] == '~shared' and last then
		redis.call('PEXPIREAT', KEYS[i], last)
		redis.call('PEXPIREAT', readers, last)
	elseif owners[i] == ARGV[1] and ARGV[2] ~= '0' then
		redis.call('PEXPIRE', KEYS[i], ARGV[2])
		redis.call('SET', KEYS[i], '~cooldown', 'PX', ARGV[2])
	elseif owners[i] == '~shared' or owners[i] == ARGV[1] then
		redis.call('DEL', KEYS[i])
		owners[i], freed[i] = '', true
	end
	first[i] = redis.call('ZRANGE', KEYS[i] .. ':line', 0, 1)
	queued = queued + #first[i]
end
if ARGV[3] then
	stand(n, owners, first, ARGV[3], ARGV[4], true)
	queued = queued + 1
end
for i = 1, n do
	if freed[i] or ARGV[3] then
		pass_on(KEYS[i], state_of(owners[i]), freed[i], ARGV[5] and ARGV[3])
	end
end
return queued
