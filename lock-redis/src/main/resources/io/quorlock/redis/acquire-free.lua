-- The usual case of acquire.lua and acquire-plain.lua: no claim waits, and the lock is free. Each function would cost the
-- node as much as a command, so the checks of fences.lua are written out here, and what the other cases need is defined
-- behind it. Arguments are text: a number would be formatted for each call.
-- KEYS lock, fence, queue and, in acquire.lua, its ends and the readers; ARGV owner, lease, fence lifetime or 0 without
-- fencing, with fencing the proposed fence, range and, of a claim that waits, ticket and its life. A fifth argument
-- would cost the node as much as a command, since Lua makes room for eight then: acquire-plain.lua is not given a range of 16.
local call, lock, fence_key = redis.call, KEYS[1], KEYS[2]
local at, fence, stored, proposed = 4, 1, nil, nil
if ARGV[3] ~= '0' then
	local text = call('GETRANGE', fence_key, '0', '31')
	at, stored, proposed = 5, text == '' and 0 or tonumber(text), tonumber(ARGV[4])
	if not (stored and stored >= 0 and stored <= proposed + 86400000000 and stored % 1 == 0) then
		return {err = 'FENCE unusable'}
	end
	fence = math.max(stored + (ARGV[5] or 16), proposed)
	if fence < 1 or fence >= 9007199254740992 then
		return {err = 'ERR fence out of range'}
	end
end

local queued = ARGV[at + 1] and 1 or call('ZCARD', KEYS[3])
if queued == 0 and call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2]) then
	if stored then
		-- A fence that is the proposal is passed on as text: formatting a number would cost the node more.
		call('SET', fence_key, fence == proposed and ARGV[4] or fence, 'PX', ARGV[3])
	end
	return fence
end
