-- Some names, exclusively: all of them or none (R12).
-- KEYS locks, and for each its fence, queue, ends and readers; ARGV owner, lease, fence lifetime or 0 without fencing,
-- proposed fences, range and, of a claim that waits, ticket and its life.
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
		fences[i] = math.max(stored[i] + ARGV[at], tonumber(ARGV[3 + i]))
		if not is_fence(fences[i]) then
			return OUT_OF_RANGE
		end
	end
	local first = redis.call('EXISTS', KEYS[i] .. ':ends') == 1 and ahead_of(KEYS[i], ticket, false)
	local other = holder(KEYS[i]) or first and '~ticket:' .. first
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
	return refuse(n, reply, ticket, ARGV[at + 2])
end
for i = 1, n do
	redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
	if fenced then
		redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[3])
	end
	if ticket ~= '' then
		remove(KEYS[i], ticket)
	end
end
return fenced and n > 1 and fences or fences[1] or 1
