-- The first free permit from a hint on (R20).
-- KEYS lock; ARGV token, lease, ticket, registration, patience, permits, hint and, with fencing, fence
-- lifetime, range, proposed. Returns the permit and, with fencing, its fence; refused, the shortest lease and the owners.
local permits, fenced = tonumber(ARGV[6]), ARGV[8]
local owners, free, first, shortest = {}, 0, nil, nil
local waiters, waiting, ahead = KEYS[1] .. ':waiters', nil, 0
if redis.call('EXISTS', waiters) == 1 then
	waiting, ahead = tickets_before(waiters, ARGV[3])
end
for k = 0, permits - 1 do
	local i = (ARGV[7] - 1 + k) % permits + 1
	local key = KEYS[1] .. ':permit:' .. i
	local owner = redis.call('GET', key)
	owners[i] = owner and string.sub(owner, 1, 512)
	if owner then
		local left = redis.call('PTTL', key)
		if left ~= -1 and (not shortest or left < shortest) then
			shortest = left
		end
	else
		first = first or i
		free = free + 1
		if free > ahead then
			break
		end
	end
end
if free > ahead then
	local key = KEYS[1] .. ':permit:' .. first
	if not fenced then
		redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
		return first
	end
	local stored = stored_fence(key .. ':fence', ARGV[10] + A_DAY)
	if not stored then
		return UNUSABLE
	end
	local fence = math.max(stored + ARGV[9], tonumber(ARGV[10]))
	if not is_fence(fence) then
		return OUT_OF_RANGE
	end
	redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
	redis.call('SET', key .. ':fence', fence, 'PX', ARGV[8])
	return {first, fence}
end
if ARGV[4] == '2' then
	register(waiters, ARGV[3], ARGV[5])
end
for i = 1, permits do
	owners[i] = owners[i] or waiting and '~ticket:' .. waiting
end
return {shortest or 0, owners}
