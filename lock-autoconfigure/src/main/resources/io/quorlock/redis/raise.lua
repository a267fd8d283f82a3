-- The second round of fencing (R9). KEYS locks (or keys of permits), fences; ARGV token, fence lifetime, fences.
local n = #KEYS / 2
local fences = {}
for i = 1, n do
	if redis.call('GET', KEYS[i]) ~= ARGV[1] then
		return 0
	end
	local stored = stored_fence(KEYS[n + i], LARGEST)
	if not stored then
		return UNUSABLE
	end
	fences[i] = math.max(stored, tonumber(ARGV[2 + i]))
	if not is_fence(fences[i]) then
		return OUT_OF_RANGE
	end
end
for i = 1, n do
	redis.call('SET', KEYS[n + i], fences[i], 'PX', ARGV[2])
end
return 1
