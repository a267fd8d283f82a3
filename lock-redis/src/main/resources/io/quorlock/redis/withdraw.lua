-- Removes the ticket of a claim that was granted or ended (R21), and passes on what is free.
-- KEYS locks, their queues and ends, and the permits; ARGV ticket, number of locks.
for i = 1, tonumber(ARGV[2]) do
	if remove(KEYS[i], ARGV[1]) then
		pass_on(KEYS[i], nil, false)
	end
end
return 1
