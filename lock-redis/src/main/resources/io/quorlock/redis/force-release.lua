-- Release of a name from the holders that an operator has seen, whose instances are notified, and from what is no
-- instance's. KEYS lock, readers, queue, its ends and the permits; ARGV the only permit to free or 0, and the holders.
local lock, readers, only, seen, held, permits, freed = KEYS[1], KEYS[2], tonumber(ARGV[1]), {}, {}, {}, 0
for i = 2, #ARGV do
	seen[ARGV[i]] = true
end
local known = redis.pcall('ZCARD', readers)
local all = type(known) ~= 'number' or known > 1000 -- more than an inspection names

local function is_meant(owner)
	return all or seen[owner] or not string.match(owner, '^.+:%x+:r?%d+$')
end

each_holder(lock, 5, #KEYS - 4, function(owner, permit)
	if (only == 0 or permit == only) and is_meant(owner) then
		held[#held + 1] = owner
		if permit > 0 then
			permits[#permits + 1] = permit
		elseif not all then
			freed = freed + redis.call('ZREM', readers, owner)
		end
	end
end)
if only == 0 then
	local owner = redis.pcall('GETRANGE', lock, 0, 511)
	local last = owner == '~shared' and not all and redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
	if last then
		redis.call('PEXPIREAT', lock, last)
		redis.call('PEXPIREAT', readers, last)
	elseif owner == '~shared' or type(owner) ~= 'string' or is_meant(owner) then
		freed = freed + redis.call('DEL', lock, readers)
	end
end
for i = 1, #held do
	notify_holder(lock, held[i], 'forced\n' .. held[i] .. '\n' .. only)
end
for i = 1, #permits do
	if freed > 0 and i <= READERS_AT_ONCE then
		pass_on(lock, nil, true) -- of permits each is offered to another ticket
	end
	freed = freed + redis.call('DEL', KEYS[4 + permits[i]])
end
if freed > 0 then
	pass_on(lock, nil, true)
end
return 1
