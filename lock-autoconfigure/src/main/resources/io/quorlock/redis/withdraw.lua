-- Removes the ticket of a claim that was granted or ended (R21). If a name is free or shared, the claims behind it
-- are notified.
-- KEYS locks; ARGV ticket.
for i = 1, #KEYS do
	if redis.call('HDEL', KEYS[i] .. ':waiters', ARGV[1]) == 1 then
		local owner = redis.call('GET', KEYS[i])
		if not owner or owner == '~shared' then
			announce(KEYS[i])
		end
	end
end
return 1
