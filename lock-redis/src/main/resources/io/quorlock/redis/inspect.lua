-- The holders of a name and the claims that wait for it. KEYS lock, fence, readers, queue,
-- its ends, the permits and their fences. Returns owner, time left, fence; readers and the time they have left; permits
-- with number, owner and time left; tickets.
local now = clock()
local owner = owner_of(KEYS[1])
local left = redis.call('PTTL', KEYS[1])
local fence = tonumber(redis.call('GETRANGE', KEYS[2], 0, 31)) or 0
local readers, permits, tickets = {}, {}, {}
local max_permits = (#KEYS - 5) / 2
each_holder(KEYS[1], 6, max_permits, function(holder, permit, remaining)
	if permit > 0 then
		permits[#permits + 1] = permit
		permits[#permits + 1] = holder
		permits[#permits + 1] = remaining
		fence = math.max(fence, tonumber(redis.call('GETRANGE', KEYS[5 + max_permits + permit], 0, 31)) or 0)
	elseif owner == '~shared' then
		readers[#readers + 1] = holder
		readers[#readers + 1] = remaining
	end
end)
local waiting = redis.call('ZRANGEBYSCORE', KEYS[1] .. ':ends', now, now + LONGEST, 'LIMIT', 0, 1000)
for i = 1, #waiting do
	tickets[i] = string.sub(waiting[i], 1, 1024)
end
return {owner and string.sub(owner, 1, 512), left, fence, readers, permits, tickets}
