-- Some names as a reader: all of them or none (R19). A key lives as long as its last reader.
-- KEYS and ARGV as in acquire-all.lua; the range is not used.
local fenced, n = ARGV[3] ~= '0', #KEYS / 5
local at = 4 + (fenced and n or 0)
local ticket = ARGV[at + 1] or ''
local longest, reply, stored, fences = nil, {0}, {}, {}
for i = 1, n do
	if fenced then
		stored[i] = stored_fence(KEYS[i] .. ':fence', ARGV[3 + i] + A_DAY)
		if not stored[i] then
			return UNUSABLE
		end
		fences[i] = math.max(stored[i], tonumber(ARGV[3 + i]))
		if not is_fence(fences[i]) then
			return OUT_OF_RANGE
		end
	end
	local first = redis.call('EXISTS', KEYS[i] .. ':ends') == 1 and ahead_of(KEYS[i], ticket, true)
	local other = holder(KEYS[i])
	if not other or type(other) == 'table' then
		other = first and '~ticket:' .. first
	end
	reply[1 + i] = other or false
	if other then
		longest = longer(redis.call('PTTL', KEYS[i]), longest or 0)
	end
end
if longest then
	reply[1] = longest
	for i = 1, #stored do
		reply[1 + n + i] = stored[i]
	end
	return refuse(n, reply, ticket, ARGV[at + 2], true)
end
for i = 1, n do
	local readers = KEYS[i] .. ':readers'
	redis.call('ZADD', readers, string.format('%.0f', clock() + ARGV[2]), ARGV[1]) -- refused when memory is full, if nothing was written before
	purge(readers)
	local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
	redis.call('SET', KEYS[i], '~shared', 'PXAT', last)
	redis.call('PEXPIREAT', readers, last)
	if fenced then
		redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[3])
	end
	if ticket ~= '' and remove(KEYS[i], ticket) then
		pass_on(KEYS[i], 'shared', false) -- to further readers
	end
end
return fenced and n > 1 and fences or fences[1] or 1
