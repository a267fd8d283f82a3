-- Gives a key that is held a new lifetime, unless it has a longer one. Redis 7 and later take one command for that, which
-- leaves a key without a lifetime alone.
local function prolong(key, lease)
	if not redis.REDIS_VERSION_NUM or redis.call('PEXPIRE', key, lease, 'GT') == 0 then
		redis.call('PEXPIRE', key, math.max(lease, redis.call('PTTL', key)))
	end
end
