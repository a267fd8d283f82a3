-- The release of a failed round, or in front of the next claim of the same instance, brings a ticket (R21). It is written
-- down in the queues of the names that are not free for it, or in all, before anybody is offered what is free.
local function stand(n, owners, first, ticket, life, reader)
	local waits = {}
	for i = 1, n do
		local state = state_of(owners[i])
		if (state == 'held' or state == 'shared' and not reader) or (#first[i] > 0 and ahead_of(KEYS[i], ticket, reader)) then
			waits[#waits + 1] = i
		end
	end
	for i = 1, #waits > 0 and #waits or n do
		register(KEYS[waits[i] or i], ticket, life)
	end
end
