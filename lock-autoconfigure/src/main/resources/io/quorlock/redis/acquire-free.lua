-- The usual case of acquire.lua: nobody waits, and the lock is free. What the others need is defined behind it, since a
-- definition costs the node as much as a command.
-- KEYS lock, waiters, readers, fence; ARGV token, lease, ticket, registration, patience, fence lifetime, range, proposed.
local stored = stored_fence(KEYS[4], ARGV[8] + A_DAY)
if not stored then
	return UNUSABLE
end
local fence = math.max(stored + ARGV[7], tonumber(ARGV[8]))
if not is_fence(fence) then
	return OUT_OF_RANGE
end

local function granted()
	if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
		redis.call('SET', KEYS[4], fence, 'PX', ARGV[6])
		return true
	end
end

local tickets = redis.call('EXISTS', KEYS[2]) == 1
if not tickets and granted() then
	return fence
end
