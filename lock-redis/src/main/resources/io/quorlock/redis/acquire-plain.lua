-- One name, exclusively, for a claim without a ticket, where no version has to be compared. Begins with acquire-free.lua.
-- KEYS lock, fence, queue; ARGV as in acquire.lua. The reply, too, but that of readers it says that there are some, and of
-- claims that wait for a free lock which one is the first: that one may be dead, and acquire.lua looks at more keys.
local owner = call('GETRANGE', lock, '0', '1023')
if owner == '' and queued > 0 then
	owner = '~ticket:' .. call('ZRANGE', KEYS[3], '0', '0')[1]
end
local instance = string.match(owner, '^(.*):r%d+$')
if instance then
	publish(lock, instance, 'wanted\n' .. owner)
end
local reply = {call('PTTL', lock), string.sub(owner, 1, 512), stored}
reply[#reply + 1] = queued
return reply
