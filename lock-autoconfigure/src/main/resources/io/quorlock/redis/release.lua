-- Release (R8, R18). A name that cools down has no owner: a repeated release leaves it alone.
-- KEYS locks; ARGV token, cool-down. Returns how many received the message.
local heard = 0
for i = 1, #KEYS do
	if redis.call('GET', KEYS[i]) == ARGV[1] then
		if ARGV[2] == '0' then
			redis.call('DEL', KEYS[i])
			heard = heard + announce(KEYS[i])
		else
			redis.call('PEXPIRE', KEYS[i], ARGV[2]) -- allowed when memory is full
			redis.call('SET', KEYS[i], '~cooldown', 'PX', ARGV[2])
		end
	end
end
return heard
