-- One name, exclusively, with fencing: the same as acquire-all.lua, quicker. Begins with acquire-free.lua.
local waiting = tickets and tickets_before(KEYS[2], ARGV[3])
if tickets and not waiting and redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
	redis.call('SET', KEYS[4], fence, 'PX', ARGV[6])
	return fence
end
local other = blocker(KEYS[1], KEYS[3], waiting)
if ARGV[4] == '2' or (ARGV[4] == '1' and type(other) == 'table') then
	register(KEYS[2], ARGV[3], ARGV[5])
end
return {redis.call('PTTL', KEYS[1]), other, stored}
