-- Those that hold a name: its owner, or its readers (R19).

-- The value of a key, no more than a kilobyte of it; false if there is none.
local function owner_of(key)
	local owner = redis.call('GETRANGE', key, 0, 1023)
	return (owner ~= '' or redis.call('EXISTS', key) == 1) and owner
end

local function purge(readers)
	redis.call('ZREMRANGEBYSCORE', readers, '-inf', clock())
end

local function longer(left, other)
	return (left == -1 or other == -1) and -1 or math.max(left, other)
end
