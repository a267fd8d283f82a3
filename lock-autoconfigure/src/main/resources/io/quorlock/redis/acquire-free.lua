-- The usual case of acquire.lua: no claim waits, and the lock is free. Each function would cost the node as much as a command,
-- so the checks of fences.lua are written out here, and what the other cases need is defined behind it.
-- KEYS lock; ARGV token, lease, ticket, registration, patience, fence lifetime, range, proposed.
local lock, waiters, fence_key = KEYS[1], KEYS[1] .. ':waiters', KEYS[1] .. ':fence'
local stored, proposed = tonumber(redis.call('GET', fence_key) or 0), tonumber(ARGV[8])
if not (stored and stored >= 0 and stored <= proposed + 86400000000 and stored % 1 == 0) then
	return {err = 'FENCE unusable'}
end
local fence = math.max(stored + ARGV[7], proposed)
if fence < 1 or fence >= 9007199254740992 then
	return {err = 'ERR fence out of range'}
end

local tickets = redis.call('EXISTS', waiters) == 1
if not tickets and redis.call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2]) then
	-- A fence that is the proposal is passed on as text: formatting a number would cost the node more.
	redis.call('SET', fence_key, fence == proposed and ARGV[8] or fence, 'PX', ARGV[6])
	return fence
end
