-- The second round of fencing for a reader (R19). KEYS locks, and for each its fence and readers; ARGV owner, fence
-- lifetime, fences.
local n = #KEYS / 3
local now = clock()
local fences = {}
for i = 1, n do
	local expiry = tonumber(redis.call('ZSCORE', KEYS[i] .. ':readers', ARGV[1]) or 0)
	if redis.call('GETRANGE', KEYS[i], 0, 1023) ~= '~shared' or expiry <= now then
		return 0
	end
	local fence, failure = raised(KEYS[i] .. ':fence', ARGV[2 + i])
	if failure then
		return failure
	end
	fences[i] = fence
end
for i = 1, n do
	redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[2])
end
return 1
