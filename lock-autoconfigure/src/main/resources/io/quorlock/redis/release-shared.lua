-- Release of a reader (R19): the first to leave does not free the others. Where the turn from a writer has not arrived,
-- the key is still the writer's. KEYS locks; ARGV token, what is left of the cool-down (R18) and the lock delay (R25).
-- A server whose memory is full allows a ZREM, and then the rest of the script.
local heard = 0
for i = 1, #KEYS do
	local readers = KEYS[i] .. ':readers'
	redis.call('ZREM', readers, ARGV[2] == '0' and ARGV[1] or '')
	if ARGV[2] ~= '0' and redis.call('ZSCORE', readers, ARGV[1]) then
		redis.call('ZADD', readers, string.format('%.0f', clock() + ARGV[2]), ARGV[1])
	end
	purge(readers)
	local owner = redis.call('GET', KEYS[i])
	local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
	if owner == '~shared' and last then
		redis.call('PEXPIREAT', KEYS[i], last)
		redis.call('PEXPIREAT', readers, last)
	elseif owner == ARGV[1] and ARGV[2] ~= '0' then
		redis.call('PEXPIRE', KEYS[i], ARGV[2])
		redis.call('SET', KEYS[i], '~cooldown', 'PX', ARGV[2])
	elseif owner == '~shared' or owner == ARGV[1] then
		redis.call('DEL', KEYS[i])
		heard = heard + announce(KEYS[i])
	end
end
return heard
