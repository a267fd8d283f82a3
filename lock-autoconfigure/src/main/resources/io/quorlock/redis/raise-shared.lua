-- The second round of fencing for a reader (R19). KEYS locks; ARGV token, fence lifetime, fences.
local now = clock()
local fences = {}
for i = 1, #KEYS do
	local expiry = tonumber(redis.call('ZSCORE', KEYS[i] .. ':readers', ARGV[1]) or 0)
	if redis.call('GET', KEYS[i]) ~= '~shared' or expiry <= now then
		return 0
	end
	local fence, failure = raised(KEYS[i] .. ':fence', ARGV[2 + i])
	if failure then
		return failure
	end
	fences[i] = fence
end
for i = 1, #KEYS do
	redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[2])
end
return 1
