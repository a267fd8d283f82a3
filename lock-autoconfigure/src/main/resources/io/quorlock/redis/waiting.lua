-- What is in the way of a claim: holders, readers, and claims with an older ticket (R19, R21).

-- The oldest live ticket before the given one, and how many there are.
local function tickets_before(waiters, ticket, writers_only)
	local now, first, count = clock(), nil, 0
	local all = redis.call('HGETALL', waiters)
	for i = 1, #all, 2 do
		if tonumber(all[i + 1]) <= now then
			redis.call('HDEL', waiters, all[i])
		elseif all[i] < ticket and not (writers_only and string.sub(all[i], 17, 19) == ':r:') then
			count = count + 1
			if not first or all[i] < first then
				first = all[i]
			end
		end
	end
	return first, count
end

local function register(waiters, ticket, patience)
	redis.call('HSET', waiters, ticket, string.format('%.0f', clock() + patience))
	if redis.call('PTTL', waiters) < tonumber(patience) then
		redis.call('PEXPIRE', waiters, patience)
	end
end

local function purge(readers)
	redis.call('ZREMRANGEBYSCORE', readers, '-inf', clock())
end

-- Tells the instance of a lease that may be retained that others were refused because of it (R24).
local function want(lock, owner)
	local instance = string.match(owner, '^(.*):r%d+$')
	if instance then
		local prefix = string.match(lock, '^(.-){')
		redis.call('PUBLISH', prefix .. 'instance:' .. instance, 'wanted\n' .. owner)
	end
end

local function blocker(lock, ticket)
	local owner = redis.call('GET', lock)
	if not owner then
		return ticket and '~ticket:' .. ticket
	end
	if owner == '~shared' then
		local readers = lock .. ':readers'
		purge(readers)
		return redis.call('ZREVRANGE', readers, 0, 63)
	end
	want(lock, owner)
	return string.sub(owner, 1, 512)
end

local function longer(left, other)
	return (left == -1 or other == -1) and -1 or math.max(left, other)
end
