-- The second round of fencing (R9). KEYS locks (or keys of permits), and for each its fence; ARGV owner, fence
-- lifetime, fences.
local n = #KEYS / 2
local fences = {}
for i = 1, n do
	if redis.call('GETRANGE', KEYS[i], 0, 1023) ~= ARGV[1] then
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
