-- Asks the holders of a name to release it, through the channels of their instances (R24).
-- KEYS lock, readers and the permits; ARGV the request's id, deadline. Returns how many connections received it.
local heard = 0
each_holder(KEYS[1], 3, #KEYS - 2, function(owner)
	heard = heard + notify_holder(KEYS[1], owner, ARGV[2] .. '\n' .. ARGV[1] .. '\n' .. owner)
end)
return heard
