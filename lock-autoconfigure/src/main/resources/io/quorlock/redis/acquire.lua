-- One name, exclusively, with fencing: the same as acquire-all.lua, quicker.
-- KEYS lock, waiters, readers, fence; ARGV token, lease, ticket, registration, patience, fence lifetime, range, proposed.
local stored = stored_fence(KEYS[4], ARGV[8] + A_DAY)
if not stored then
	return UNUSABLE
end
local fence = math.max(stored + ARGV[7], tonumber(ARGV[8]))
if not is_fence(fence) then
	return OUT_OF_RANGE
end
local waiting = redis.call('EXISTS', KEYS[2]) == 1 and tickets_before(KEYS[2], ARGV[3])
if not waiting and redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
	redis.call('SET', KEYS[4], fence, 'PX', ARGV[6])
	return fence
end
local other = blocker(KEYS[1], KEYS[3], waiting)
if ARGV[4] == '2' or (ARGV[4] == '1' and type(other) == 'table') then
	register(KEYS[2], ARGV[3], ARGV[5])
end
return {redis.call('PTTL', KEYS[1]), other, stored}
