-- One name, exclusively: the same as acquire-all.lua, quicker. Begins with acquire-free.lua.
local ticket = ARGV[at + 1] or ''
local front = front_of(lock)
local left, first = -2, nil
if front[1] and front[1] ~= ticket then
	left = redis.call('PTTL', lock)
	first = left == -2 and ahead_of(lock, ticket, false, front)
end
if left == -2 and not first then
	if redis.call('SET', lock, ARGV[1], 'NX', 'PX', ARGV[2]) then
		if stored then
			redis.call('SET', fence_key, fence, 'PX', ARGV[3])
		end
		if ticket ~= '' then
			remove(lock, ticket)
		end
		return fence
	end
	left = redis.call('PTTL', lock)
end
return refuse(1, {left, first and '~ticket:' .. first or holder(lock) or '', stored}, ticket, ARGV[at + 2], false, queued)
