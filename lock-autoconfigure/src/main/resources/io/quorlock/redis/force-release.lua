-- Release, regardless of the holders. KEYS locks; ARGV the most permits, the only permit to free or 0.
for i = 1, #KEYS do
	local freed = 0
	if ARGV[2] == '0' then
		freed = redis.call('DEL', KEYS[i])
		redis.call('DEL', KEYS[i] .. ':readers')
	end
	for permit = 1, tonumber(ARGV[1]) do
		if ARGV[2] == '0' or permit == tonumber(ARGV[2]) then
			freed = freed + redis.call('DEL', KEYS[i] .. ':permit:' .. permit)
		end
	end
	if freed > 0 then
		announce(KEYS[i])
	end
end
return 1
