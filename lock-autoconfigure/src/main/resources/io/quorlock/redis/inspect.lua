-- The holders of a name and the claims that wait for it. KEYS lock; ARGV the most permits.
-- Returns owner, time left, fence; readers and the time they have left; permits with number, owner and time left; tickets.
local now = clock()
local owner = redis.call('GET', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
local fence = tonumber(redis.call('GET', KEYS[1] .. ':fence') or 0)
local readers, permits, tickets = {}, {}, {}
if owner == '~shared' then
	local all = redis.call('ZRANGE', KEYS[1] .. ':readers', 0, 999, 'WITHSCORES')
	for i = 1, #all, 2 do
		if tonumber(all[i + 1]) > now then
			readers[#readers + 1] = string.sub(all[i], 1, 512)
			readers[#readers + 1] = tonumber(all[i + 1]) - now
		end
	end
end
for i = 1, tonumber(ARGV[1]) do
	local key = KEYS[1] .. ':permit:' .. i
	local holder = redis.call('GET', key)
	if holder then
		permits[#permits + 1] = i
		permits[#permits + 1] = string.sub(holder, 1, 512)
		permits[#permits + 1] = redis.call('PTTL', key)
		fence = math.max(fence or 0, tonumber(redis.call('GET', key .. ':fence') or 0) or 0)
	end
end
local waiting = redis.call('HGETALL', KEYS[1] .. ':waiters')
for i = 1, math.min(#waiting, 2000), 2 do
	if tonumber(waiting[i + 1]) > now then
		tickets[#tickets + 1] = string.sub(waiting[i], 1, 1024)
	end
end
return {owner and string.sub(owner, 1, 512), left, fence, readers, permits, tickets}
