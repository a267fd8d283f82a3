-- The first free permit from a hint on (R20).
-- KEYS lock, queue, its ends, the permits and their fences; ARGV owner, lease, fence lifetime or 0 without fencing,
-- proposed fence, range, permits, hint and, of a claim that waits, ticket and its life. Returns the permit and, with fencing,
-- its fence; refused, the shortest lease, the owners and the rank.
local fenced = ARGV[3] ~= '0'
local at = fenced and 5 or 4
local permits, hint, ticket = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3] or ''
local owners, free, found, shortest = {}, 0, nil, nil
local first, ahead = nil, 0
if redis.call('EXISTS', KEYS[1] .. ':ends') == 1 then
	first = ahead_of(KEYS[1], ticket, false)
	ahead = first and (redis.call('ZRANK', KEYS[1] .. ':line', ticket)
		or ticket == '' and redis.call('ZCARD', KEYS[1] .. ':line')
		or redis.call('ZCOUNT', KEYS[1] .. ':line', '-inf', stamp_of(ticket))) or 0
end
for k = 0, permits - 1 do
	local i = (hint - 1 + k) % permits + 1
	local key = KEYS[3 + i]
	local owner = redis.call('GETRANGE', key, 0, 511)
	owners[i] = owner ~= '' and owner
	if owners[i] then
		local left = redis.call('PTTL', key)
		if left ~= -1 and (not shortest or left < shortest) then
			shortest = left
		end
	else
		found = found or i
		free = free + 1
		if free > ahead then
			break
		end
	end
end
if free > ahead then
	local key, fence_key, fence = KEYS[3 + found], KEYS[3 + permits + found], nil
	if fenced then
		local stored = stored_fence(fence_key, ARGV[4] + A_DAY)
		if not stored then
			return UNUSABLE
		end
		fence = math.max(stored + ARGV[at], tonumber(ARGV[4]))
		if not is_fence(fence) then
			return OUT_OF_RANGE
		end
	end
	redis.call('SET', key, ARGV[1], 'PX', ARGV[2])
	if fenced then
		redis.call('SET', fence_key, fence, 'PX', ARGV[3])
	end
	if ticket ~= '' then
		remove(KEYS[1], ticket)
	end
	return fenced and {found, fence} or found
end
local rank = ticket ~= '' and enqueue(KEYS[1], ticket, ARGV[at + 4]) or redis.call('ZCARD', KEYS[1] .. ':ends')
if free > 0 then
	pass_on(KEYS[1], 'free', false)
end
for i = 1, permits do
	owners[i] = owners[i] or first and '~ticket:' .. first
end
return {shortest or 0, owners, rank}
