-- The node's record of the node list (R10). KEYS record; ARGV what to do, our list, seconds a list is remembered, why the
-- node may have lost leases just now or "" (R27), our instance, the server's run id and what it was a copy of last or "",
-- since when it is up and, of a record that only tries the script, when it expires, in ms.
-- "stay" says that our list is in use, "found" and "join" write since when the node has belonged
-- to it besides.
-- "bye" says that our instance no longer uses the list: it is forgotten unless another instance used it lately.
-- A record from the future, which a stepped clock leaves behind, begins anew; one that is older than a day, and than twice
-- the time for which a list is remembered, which is no shorter than the quarantine, counts as one since the beginning, so
-- that it does not get younger when the clock is set back. One that another server wrote, or that was there before the node
-- was a replica, leaves a doubt, unless the node was restarted since. Returns since when the record stands, the node's time,
-- both in seconds, the microseconds of that second, for how long the leases are not in doubt (-1 if they never were), why
-- they were, and of each other list in use its text, how long ago it was confirmed, and by which instance.
local time = redis.call('TIME')
local now = tonumber(time[1])
local function confirmed(value)
	local last, by, before = string.match(value or '', '^(%d+) (%S+) ?(%d*)$')
	return tonumber(last) or tonumber(value) or 0, by or '?', tonumber(before)
end
local own = {since = true, doubted = true, server = true}
local record = {}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
	record[fields[i]] = fields[i + 1]
end
local last, by, before = confirmed(record[ARGV[2]])
if ARGV[1] == 'bye' then
	if by ~= ARGV[5] then
		return 0
	elseif before and now - before <= tonumber(ARGV[3]) then
		return redis.call('HSET', KEYS[1], ARGV[2], string.format('%.0f', before))
	end
	return redis.call('HDEL', KEYS[1], ARGV[2])
end
local known = tonumber(record.since)
if not record.since and (ARGV[1] == 'found' or ARGV[1] == 'join') then
	known = ARGV[1] == 'found' and 0 or now
	redis.call('HSET', KEYS[1], 'since', known)
elseif record.since and (not known or known > now) then
	known = now
	redis.call('HSET', KEYS[1], 'since', known)
elseif known and known > 0 and now - known > math.max(86400, 2 * ARGV[3]) then
	known = 0
	redis.call('HSET', KEYS[1], 'since', known)
end
local doubted, why = string.match(record.doubted or '', '^(%d+) (%S+)$')
doubted = tonumber(doubted)
local doubt = ARGV[4] or ''
if (ARGV[6] or '') ~= '' then
	local run, copied, written = string.match(record.server or '', '^(%w*):(%w*) (%d+)$')
	local run2, copied2 = string.match(ARGV[6], '^(%w*):(%w*)$')
	local changed = run == run2 and copied ~= copied2 and string.find(copied2, '[^0]')
	if changed or (run and run ~= run2 and tonumber(written) > ARGV[7] + 1) then
		doubt = 'replica'
	end
	redis.call('HSET', KEYS[1], 'server', ARGV[6] .. ' ' .. time[1])
end
if known and (doubt ~= '' or (doubted and doubted > now)) then
	doubted = now
	why = doubt ~= '' and doubt or why
	redis.call('HSET', KEYS[1], 'doubted', time[1] .. ' ' .. why)
end
local reply = {known or false, now, tonumber(time[2]), doubted and math.max(0, now - doubted) or -1, why or ''}
for i = 1, #fields, 2 do
	if not own[fields[i]] and fields[i] ~= ARGV[2] then
		local used, user = confirmed(fields[i + 1])
		if now - used > tonumber(ARGV[3]) then
			redis.pcall('HDEL', KEYS[1], fields[i])
		elseif #reply < 101 then
			reply[#reply + 1] = string.sub(fields[i], 1, 4096)
			reply[#reply + 1] = math.max(0, now - used)
			reply[#reply + 1] = string.sub(user, 1, 256)
		end
	end
end
local others = by == ARGV[5] and before or by ~= ARGV[5] and last > 0 and last
redis.call('HSET', KEYS[1], ARGV[2],
	time[1] .. ' ' .. (ARGV[5] or '?') .. (others and string.format(' %.0f', others) or ''))
if ARGV[8] then
	redis.call('PEXPIRE', KEYS[1], ARGV[8])
end
return reply
