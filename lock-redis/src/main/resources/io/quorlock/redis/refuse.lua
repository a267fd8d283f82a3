-- What a refusal says of the holder. The instance of a lease that may be retained is told that others want it (R24).
local function holder(lock)
	local owner = owner_of(lock)
	if owner == '~shared' then
		local readers = lock .. ':readers'
		purge(readers)
		return redis.call('ZREVRANGE', readers, 0, 63)
	end
	if owner then
		local instance = string.match(owner, '^(.*):r%d+$')
		if instance then
			publish(lock, instance, 'wanted\n' .. owner)
		end
		return string.sub(owner, 1, 512)
	end
	return nil
end

-- A claim that is refused stands in the queues of the names that are not free for it. It reserves none of the others:
-- they are passed on, as is a name that is free but for an older ticket (R21). reply[1 + i] is what is in the way of name i.
local function refuse(n, reply, ticket, life, reader, queued)
	local rank = 0
	for i = 1, n do
		local other = reply[1 + i]
		local waits = type(other) == 'string' and string.sub(other, 1, 8) == '~ticket:'
		if ticket ~= '' and other then
			rank = math.max(rank, enqueue(KEYS[i], ticket, life))
		elseif other then
			rank = math.max(rank, queued or redis.call('ZCARD', KEYS[i] .. ':ends'))
		elseif ticket ~= '' then
			remove(KEYS[i], ticket)
		end
		if reader and waits and redis.call('EXISTS', KEYS[i]) == 1 then
			offer(KEYS[i], string.sub(other, 9), false) -- readers hold it: is that writer still there?
		elseif not other or waits and not is_on_offer(KEYS[i], string.sub(other, 9)) then
			pass_on(KEYS[i], 'free', false)
		end
	end
	reply[#reply + 1] = rank
	return reply
end
