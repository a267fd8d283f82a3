-- One name, exclusively, with fencing: the same as acquire-all.lua, quicker. Begins with acquire-free.lua.
local waiting = tickets and tickets_before(waiters, ARGV[3])
if tickets and not waiting and redis.call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2]) then
	redis.call('SET', fence_key, fence, 'PX', ARGV[6])
	return fence
end
local other = blocker(lock, waiting)
if ARGV[4] == '2' or (ARGV[4] == '1' and type(other) == 'table') then
	register(waiters, ARGV[3], ARGV[5])
end
return {redis.call('PTTL', lock), other, stored}
