-- The node's record of the node list (R10). KEYS record; ARGV what to do, our list, seconds a list is remembered.
-- "read" changes nothing, "stay" says that our list is in use, "found" and "join" write an absent record first.
-- A record from the future, which a stepped clock leaves behind, begins anew. Returns since when the record stands,
-- the node's time, both in seconds, the microseconds of that second, and the other lists in use.
local time = redis.call('TIME')
local now = tonumber(time[1])
local since = redis.call('HGET', KEYS[1], 'since')
local known = tonumber(since)
if not since and (ARGV[1] == 'found' or ARGV[1] == 'join') then
	known = ARGV[1] == 'found' and 0 or now
	redis.call('HSET', KEYS[1], 'since', known)
elseif since and (not known or known > now) and ARGV[1] ~= 'read' then
	known = now
	redis.call('HSET', KEYS[1], 'since', known)
elseif since and not known then
	known = now
end
local reply = {known or false, now, tonumber(time[2])}
if known then
	local fields = redis.call('HGETALL', KEYS[1])
	for i = 1, #fields, 2 do
		if fields[i] ~= 'since' and fields[i] ~= ARGV[2] then
			if now - (tonumber(fields[i + 1]) or 0) <= tonumber(ARGV[3]) then
				if #reply < 35 then
					reply[#reply + 1] = string.sub(fields[i], 1, 4096)
				end
			elseif ARGV[1] ~= 'read' then
				redis.call('HDEL', KEYS[1], fields[i])
			end
		end
	end
	if ARGV[1] ~= 'read' then
		redis.call('HSET', KEYS[1], ARGV[2], now)
	end
end
return reply
