-- One name, exclusively, for a claim without a ticket. Begins with acquire-free.lua.
-- KEYS lock, fence, queue; ARGV as in acquire.lua, but a range of 16 is left out, and any range without fencing. The reply
-- is that of acquire.lua, with two exceptions: of readers it says that they hold the lock, and not who they are; if the lock
-- is free but claims wait, it names the first of them, which may be dead.
local owner = call('GETRANGE', lock, '0', '1023')
local instance = string.match(owner, '^(.*):r%d+$')
if instance then
	publish(lock, instance, 'wanted\n' .. owner)
elseif owner == '' and queued > 0 then
	owner = '~ticket:' .. call('ZRANGE', KEYS[3], '0', '0')[1]
end
local reply = {call('PTTL', lock), string.sub(owner, 1, 512), stored}
reply[#reply + 1] = queued
return reply
