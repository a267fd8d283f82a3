-- Release, whoever holds the names. KEYS locks, waiters, readers; ARGV the most permits, the only permit to free or 0.
local n = #KEYS / 3
for i = 1, n do
	local freed = 0
	if ARGV[2] == '0' then
		freed = redis.call('DEL', KEYS[i])
		redis.call('DEL', KEYS[2 * n + i])
	end
	for permit = 1, tonumber(ARGV[1]) do
		if ARGV[2] == '0' or permit == tonumber(ARGV[2]) then
			freed = freed + redis.call('DEL', KEYS[i] .. ':permit:' .. permit)
		end
	end
	if freed > 0 then
		announce(KEYS[i], KEYS[n + i])
	end
end
return 1
