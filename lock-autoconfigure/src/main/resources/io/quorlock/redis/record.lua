-- The node's record of the node list (R10). KEYS record; ARGV what to do, our list, seconds a list is remembered, the least
-- seal or "" if names do not move (R23), since when the groups are sealed from which names move to this one.
-- "mark" says that all nodes of the group are about to get their first seal; "found" follows once all are marked.
-- "read" changes nothing, "stay" says that our list is in use, "found" and "join" write an absent record first.
-- A record from the future, which a stepped clock leaves behind, begins anew. Returns since when the record stands, the
-- node's time, both in seconds, the microseconds of that second, the seal (-1 for none, -2 if it is marked), since when
-- it stands, and the other lists in use.
local time = redis.call('TIME')
local now = tonumber(time[1])
local writes = ARGV[1] ~= 'read'
local begins = ARGV[1] == 'found' or ARGV[1] == 'join'
local since = redis.call('HGET', KEYS[1], 'since')
local known = tonumber(since)
if not since and begins then
	known = ARGV[1] == 'found' and 0 or now
	redis.call('HSET', KEYS[1], 'since', known)
elseif since and (not known or known > now) and writes then
	known = now
	redis.call('HSET', KEYS[1], 'since', known)
elseif since and not known then
	known = now
end
local seal = tonumber(redis.call('HGET', KEYS[1], 'seal') or -1) or -1
local sealed = tonumber(redis.call('HGET', KEYS[1], 'sealed') or now) or now
local least = tonumber(ARGV[4])
if least and writes and (seal >= 0 or begins) and seal < least then
	seal, sealed = least, now
	redis.call('HSET', KEYS[1], 'sealed', now)
	redis.call('HSET', KEYS[1], 'seal', seal)
	redis.call('HDEL', KEYS[1], 'marked')
elseif ARGV[1] == 'mark' and seal < 0 then
	redis.call('HSET', KEYS[1], 'marked', now)
elseif sealed > now then
	sealed = now
	if writes then
		redis.call('HSET', KEYS[1], 'sealed', now)
	end
end
local after = math.min(tonumber(ARGV[5]), now)
if seal > 0 and sealed < after and writes then -- for instances that read only this group later (R19)
	sealed = after
	redis.call('HSET', KEYS[1], 'sealed', sealed)
end
if seal < 0 and redis.call('HGET', KEYS[1], 'marked') then
	seal = -2
end
local reply = {known or false, now, tonumber(time[2]), seal, sealed}
if known then
	local fields = redis.call('HGETALL', KEYS[1])
	for i = 1, #fields, 2 do
		if fields[i] ~= 'since' and fields[i] ~= 'seal' and fields[i] ~= 'sealed' and fields[i] ~= 'marked' and fields[i] ~= ARGV[2] then
			if now - (tonumber(fields[i + 1]) or 0) <= tonumber(ARGV[3]) then
				if #reply < 37 then
					reply[#reply + 1] = string.sub(fields[i], 1, 4096)
				end
			elseif writes then
				redis.call('HDEL', KEYS[1], fields[i])
			end
		end
	end
	if writes then
		redis.call('HSET', KEYS[1], ARGV[2], now)
	end
end
return reply
