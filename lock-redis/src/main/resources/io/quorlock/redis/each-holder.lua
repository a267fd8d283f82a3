-- Calls a function for each holder of a name, no more than a thousand readers. The keys of the permits begin at KEYS[from].
local function each_holder(lock, from, permits, call)
	local owner = redis.pcall('GETRANGE', lock, 0, 511) -- of another type, perhaps
	if owner == '~shared' then
		local now = clock()
		local readers = redis.call('ZREVRANGE', lock .. ':readers', 0, 999, 'WITHSCORES')
		for i = 1, #readers, 2 do
			if tonumber(readers[i + 1]) > now then
				call(string.sub(readers[i], 1, 512), 0, tonumber(readers[i + 1]) - now)
			end
		end
	elseif type(owner) == 'string' and owner ~= '' then
		call(owner, 0, redis.call('PTTL', lock))
	end
	if permits == 0 or redis.call('EXISTS', unpack(KEYS, from, from + permits - 1)) == 0 then
		return
	end
	for i = 1, permits do
		local key = KEYS[from + i - 1]
		local holder = redis.call('GETRANGE', key, 0, 511)
		if holder ~= '' then
			call(holder, i, redis.call('PTTL', key))
		end
	end
end

-- The channel of the instance is named after the owner of a lease.
local function notify_holder(lock, owner, message)
	local instance = string.match(owner, '^(.*):[^:]*$')
	return instance and publish(lock, instance, message) or 0
end
