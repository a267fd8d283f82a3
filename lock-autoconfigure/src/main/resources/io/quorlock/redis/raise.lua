-- The second round of fencing (R9). KEYS locks (or keys of permits); ARGV token, fence lifetime, fences.
local fences = {}
for i = 1, #KEYS do
	if redis.call('GET', KEYS[i]) ~= ARGV[1] then
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
