-- A release when claims wait. Begins with release-free.lua.
if ARGV[3] then
	stand(n, owners, first, ARGV[3], ARGV[4])
	queued = queued + 1
end
for i = 1, n do
	if ARGV[3] or not owners[-i] then
		pass_on(KEYS[i], state_of(owners[i]), not owners[-i], ARGV[5] and ARGV[3], not ARGV[3] and first[i])
	end
end
return queued
