-- Some names as a reader: all of them or none (R19). A key lives as long as its last reader.
-- KEYS and ARGV as in acquire-all.lua; the range is not used.
local fenced = ARGV[6]
local n = #KEYS
local longest, reply, fences = nil, {0}, {}
for i = 1, n do
	if fenced then
		local stored = stored_fence(KEYS[i] .. ':fence', ARGV[7 + i] + A_DAY)
		if not stored then
			return UNUSABLE
		end
		fences[i] = math.max(stored, tonumber(ARGV[7 + i]))
		if not is_fence(fences[i]) then
			return OUT_OF_RANGE
		end
		reply[1 + n + i] = stored
	end
	local waiters = KEYS[i] .. ':waiters'
	local waiting = redis.call('EXISTS', waiters) == 1 and tickets_before(waiters, ARGV[3], true)
	local owner = redis.call('GET', KEYS[i])
	local other = owner and owner ~= '~shared' and string.sub(owner, 1, 512) or waiting and '~ticket:' .. waiting
	reply[1 + i] = other or false
	if other then
		want(KEYS[i], owner or '')
		longest = longer(redis.call('PTTL', KEYS[i]), longest or 0)
	end
end
if longest then
	if ARGV[4] ~= '0' then
		for i = 1, n do
			register(KEYS[i] .. ':waiters', ARGV[3], ARGV[5])
		end
	end
	reply[1] = longest
	return reply
end
for i = 1, n do
	local readers = KEYS[i] .. ':readers'
	redis.call('ZADD', readers, string.format('%.0f', clock() + ARGV[2]), ARGV[1]) -- refused when memory is full
	purge(readers)
	local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
	redis.call('SET', KEYS[i], '~shared', 'PXAT', last)
	redis.call('PEXPIREAT', readers, last)
	if fenced then
		redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[6])
	end
end
return fenced and n > 1 and fences or fences[1] or 1
