-- Removes the ticket of a claim that was granted or ended (R21). If a name is free, the next one learns it.
-- KEYS locks, waiters; ARGV ticket.
local n = #KEYS / 2
for i = 1, n do
	if redis.call('HDEL', KEYS[n + i], ARGV[1]) == 1 and redis.call('EXISTS', KEYS[i]) == 0 then
		announce(KEYS[i], KEYS[n + i])
	end
end
return 1
