-- The second round of fencing for a reader (R19). KEYS locks, readers, fences; ARGV token, fence lifetime, fences.
local n = #KEYS / 3
local now = clock()
local fences = {}
for i = 1, n do
	local expiry = tonumber(redis.call('ZSCORE', KEYS[n + i], ARGV[1]) or 0)
	if redis.call('GET', KEYS[i]) ~= '~shared' or expiry <= now then
		return 0
	end
	local fence, failure = raised(KEYS[2 * n + i], ARGV[2 + i])
	if failure then
		return failure
	end
	fences[i] = fence
end
for i = 1, n do
	redis.call('SET', KEYS[2 * n + i], fences[i], 'PX', ARGV[2])
end
return 1
