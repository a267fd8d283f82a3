-- Removes the ticket of a claim that was granted or ended (R21). If a name is free or shared, whoever stood behind it
-- learns that.
-- KEYS locks, waiters; ARGV ticket.
local n = #KEYS / 2
for i = 1, n do
	if redis.call('HDEL', KEYS[n + i], ARGV[1]) == 1 then
		local owner = redis.call('GET', KEYS[i])
		if not owner or owner == '~shared' then
			announce(KEYS[i], KEYS[n + i])
		end
	end
end
return 1
