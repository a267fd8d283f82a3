-- Asks the holders of a name to release it, through the channels of their instances (R24).
-- KEYS lock; ARGV what the channels begin with, the request's id, deadline, the most permits.
-- Returns how many connections received it.
local heard = 0
local function ask(token)
	local instance = string.match(token, '^(.*):[^:]*$')
	if instance then
		heard = heard + redis.call('PUBLISH', ARGV[1] .. instance, ARGV[3] .. '\n' .. ARGV[2] .. '\n' .. token)
	end
end
local owner = redis.call('GET', KEYS[1])
if owner == '~shared' then
	local now = clock()
	local readers = redis.call('ZREVRANGE', KEYS[1] .. ':readers', 0, 999, 'WITHSCORES')
	for i = 1, #readers, 2 do
		if tonumber(readers[i + 1]) > now then
			ask(readers[i])
		end
	end
elseif owner then
	ask(owner)
end
for i = 1, tonumber(ARGV[4]) do
	local holder = redis.call('GET', KEYS[1] .. ':permit:' .. i)
	if holder then
		ask(holder)
	end
end
return heard
