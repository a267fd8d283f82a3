-- The node's time in milliseconds, the same throughout a script.
local millis
local function clock()
	if not millis then
		local time = redis.call('TIME')
		millis = time[1] * 1000 + math.floor(time[2] / 1000)
	end
	return millis
end
