-- Release of a name, regardless of the holders, whose instances are notified. KEYS lock, readers, queue, its ends and the
-- permits; ARGV the only permit to free or 0.
local lock, only, held, freed = KEYS[1], tonumber(ARGV[1]), {}, 0
each_holder(lock, 5, #KEYS - 4, function(token, permit)
	if only == 0 or permit == only then
		held[#held + 1] = token
		freed = freed + (permit > 0 and redis.call('DEL', KEYS[4 + permit]) or 0)
	end
end)
if only == 0 then
	freed = freed + redis.call('DEL', lock, KEYS[2])
end
for i = 1, #held do
	notify_holder(lock, held[i], 'forced\n' .. held[i] .. '\n' .. only)
end
if freed > 0 then
	pass_on(lock, only == 0 and 'free' or nil, true)
end
return 1
