-- The second round of fencing (R9). KEYS locks (or keys of permits), fences; ARGV token, fence lifetime, fences.
local n = #KEYS / 2
local fences = {}
for i = 1, n do
	if redis.call('GET', KEYS[i]) ~= ARGV[1] then
		return 0
	end
	local fence, failure = raised(KEYS[n + i], ARGV[2 + i])
	if failure then
		return failure
	end
	fences[i] = fence
end
for i = 1, n do
	redis.call('SET', KEYS[n + i], fences[i], 'PX', ARGV[2])
end
return 1
