-- Announces that a name is free, and names the oldest live ticket: the others sleep on (R21).
local function announce(lock)
	local waiters, first = lock .. ':waiters', ''
	if redis.call('EXISTS', waiters) == 1 then
		local now = clock()
		local all = redis.call('HGETALL', waiters)
		for i = 1, #all, 2 do
			if tonumber(all[i + 1]) > now and (first == '' or all[i] < first) then
				first = all[i]
			end
		end
	end
	return redis.call('PUBLISH', lock .. ':released', first)
end
