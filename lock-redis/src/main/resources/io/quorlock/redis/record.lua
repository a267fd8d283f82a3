-- The node's record of the node list (R10). KEYS record; ARGV what to do, our list, seconds a list is remembered, why the
-- node may have lost leases just now or "" (R27), our instance and, of a record that only tries the script, when it expires,
-- in ms.
-- "read" changes nothing, "stay" says that our list is in use, "found" and "join" write an absent record first.
-- "bye" says that our instance no longer uses the list: it is forgotten unless another instance used it lately.
-- A record from the future, which a stepped clock leaves behind, begins anew; one that is older than a day, and than twice
-- the time for which a list is remembered, which is no shorter than the quarantine, counts as one since the beginning, so
-- that it does not get younger when the clock is set back. Returns since when the record stands, the node's time, both in
-- seconds, the microseconds of that second, for how long the leases are not in doubt (-1 if they never were), why they were,
-- and of each other list in use its text, how long ago it was confirmed, and by which instance.
local time = redis.call('TIME')
local now = tonumber(time[1])
local writes = ARGV[1] ~= 'read'
local function confirmed(value)
	local last, by, before = string.match(value or '', '^(%d+) (%S+) ?(%d*)$')
	return tonumber(last) or tonumber(value) or 0, by or '?', tonumber(before)
end
if ARGV[1] == 'bye' then
	local last, by, before = confirmed(redis.call('HGET', KEYS[1], ARGV[2]))
	if by ~= ARGV[5] then
		return 0
	elseif before and now - before <= tonumber(ARGV[3]) then
		return redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f', before))
	end
	return redis.call('HDEL', KEYS[1], ARGV[2])
end
local since = redis.call('HGET', KEYS[1], 'since')
local known = tonumber(since)
if not since and (ARGV[1] == 'found' or ARGV[1] == 'join') then
	known = ARGV[1] == 'found' and 0 or now
	redis.call('HSET', KEYS[1], 'since', known)
elseif since and (not known or known > now) and writes then
	known = now
	redis.call('HSET', KEYS[1], 'since', known)
elseif since and not known then
	known = now
elseif known and known > 0 and now - known > math.max(86400, 2 * ARGV[3]) and writes then
	known = 0
	redis.call('HSET', KEYS[1], 'since', known)
end
local doubted, why = string.match(redis.call('HGET', KEYS[1], 'doubted') or '', '^(%d+) (%S+)$')
doubted = tonumber(doubted)
if writes and known and ((ARGV[4] or '') ~= '' or (doubted and doubted > now)) then
	doubted = now
	why = (ARGV[4] or '') ~= '' and ARGV[4] or why
	redis.call('HSET', KEYS[1], 'doubted', time[1] .. ' ' .. why)
end
local reply = {known or false, now, tonumber(time[2]), doubted and math.max(0, now - doubted) or -1, why or ''}
if known then
	local own = {since = true, doubted = true}
	local fields = redis.call('HGETALL', KEYS[1])
	for i = 1, #fields, 2 do
		if not own[fields[i]] and fields[i] ~= ARGV[2] then
			local last, by = confirmed(fields[i + 1])
			if now - last <= tonumber(ARGV[3]) then
				if #reply < 101 then
					reply[#reply + 1] = string.sub(fields[i], 1, 4096)
					reply[#reply + 1] = math.max(0, now - last)
					reply[#reply + 1] = string.sub(by, 1, 256)
				end
			elseif writes then
				redis.call('HDEL', KEYS[1], fields[i])
			end
		end
	end
	if writes then
		local last, by, before = confirmed(redis.call('HGET', KEYS[1], ARGV[2]))
		local others = by == ARGV[5] and before or by ~= ARGV[5] and last > 0 and last
		redis.call('HSET', KEYS[1], ARGV[2],
			time[1] .. ' ' .. (ARGV[5] or '?') .. (others and string.format(' %.0f', others) or ''))
	end
	if ARGV[6] then
		redis.call('PEXPIRE', KEYS[1], ARGV[6])
	end
end
return reply
