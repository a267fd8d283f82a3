-- Some names, exclusively: all of them or none (R12).
-- KEYS locks; ARGV token, lease, ticket, registration, patience and, with fencing, fence lifetime, range, proposed fences.
local fenced = ARGV[6]
local n = #KEYS
local longest, only_readers, reply, fences = nil, true, {0}, {}
for i = 1, n do
	if fenced then
		local stored = stored_fence(KEYS[i] .. ':fence', ARGV[7 + i] + A_DAY)
		if not stored then
			return UNUSABLE
		end
		fences[i] = math.max(stored + ARGV[7], tonumber(ARGV[7 + i]))
		if not is_fence(fences[i]) then
			return OUT_OF_RANGE
		end
		reply[1 + n + i] = stored
	end
	local waiters = KEYS[i] .. ':waiters'
	local waiting = redis.call('EXISTS', waiters) == 1 and tickets_before(waiters, ARGV[3])
	local other = blocker(KEYS[i], waiting)
	reply[1 + i] = other or false
	if other then
		longest = longer(redis.call('PTTL', KEYS[i]), longest or 0)
		only_readers = only_readers and type(other) == 'table'
	end
end
if longest then
	if ARGV[4] == '2' or (ARGV[4] == '1' and only_readers) then
		for i = 1, n do
			register(KEYS[i] .. ':waiters', ARGV[3], ARGV[5])
		end
	end
	reply[1] = longest
	return reply
end
for i = 1, n do
	redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
	if fenced then
		redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[6])
	end
end
return fenced and n > 1 and fences or fences[1] or 1
