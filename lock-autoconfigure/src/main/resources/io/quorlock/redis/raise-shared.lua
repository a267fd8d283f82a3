-- The second round of fencing for a reader (R19). KEYS locks, readers, fences; ARGV token, fence lifetime, fences.
local n = #KEYS / 3
local now = clock()
local fences = {}
for i = 1, n do
	local expiry = tonumber(redis.call('ZSCORE', KEYS[n + i], ARGV[1]) or 0)
	if redis.call('GET', KEYS[i]) ~= '~shared' or expiry <= now then
		return 0
	end
	local stored = stored_fence(KEYS[2 * n + i], LARGEST)
	if not stored then
		return UNUSABLE
	end
	fences[i] = math.max(stored, tonumber(ARGV[2 + i]))
	if not is_fence(fences[i]) then
		return OUT_OF_RANGE
	end
end
for i = 1, n do
	redis.call('SET', KEYS[2 * n + i], fences[i], 'PX', ARGV[2])
end
return 1
