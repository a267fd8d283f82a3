-- The queue of a name (R21). A ticket is "<stamp, 16 digits>:<w, r, or the number of permits>:<patience, ms>:<claim>".
-- It stands in <lock>:line by its stamp, and in <lock>:ends by its end.
local LONGEST = 60000 -- ms; what ends later was written before the clock was set back
local MAX_TICKETS = 65536
local READERS_AT_ONCE = 16
local MAX_READERS = 1024

local function is_reader(ticket)
	return string.sub(ticket, 17, 19) == ':r:'
end

local function remove(lock, ticket)
	redis.call('ZREM', lock .. ':line', ticket)
	return redis.call('ZREM', lock .. ':ends', ticket) == 1
end

-- How long a ticket stands if nobody writes it again.
local left = {}
local function left_of(lock, ticket)
	local ends = left[lock .. ticket] or tonumber(redis.call('ZSCORE', lock .. ':ends', ticket) or 0) - clock()
	left[lock .. ticket] = ends <= LONGEST and ends or 0
	return left[lock .. ticket]
end

-- The first ticket and its stamp, as text.
local function front_of(lock)
	return redis.call('ZRANGE', lock .. ':line', 0, 0, 'WITHSCORES')
end

-- The same of the first live ticket. Dead ones in front of it go, sixteen at most.
local function first_of(lock, own, front)
	for _ = 1, 16 do
		local found = front or front_of(lock)
		front = nil
		if not found[1] or found[1] == own or left_of(lock, found[1]) > 0 then
			return found[1], found[2]
		end
		remove(lock, found[1])
	end
end

-- The first live writer, unless the own ticket stands before it. Behind the readers that get the name together there may be
-- many more, alive or dead, so a second look goes further.
local function first_writer(lock, own)
	for _, max in ipairs({READERS_AT_ONCE, MAX_READERS}) do
		local found = redis.call('ZRANGE', lock .. ':line', 0, max - 1, 'WITHSCORES')
		for i = 1, #found, 2 do
			if found[i] == own then
				return nil -- by its stored stamp: the limit for a clock that is far ahead moves on, and the place must not
			end
			if not is_reader(found[i]) then
				if left_of(lock, found[i]) > 0 then
					return found[i], found[i + 1]
				end
				remove(lock, found[i])
			end
		end
		if #found < 2 * max then
			return nil
		end
	end
end

-- What a ticket stands by, or would stand by. A clock that is far ahead gains nothing.
local function stamp_of(ticket)
	return math.min(tonumber(string.sub(ticket, 1, 16)) or 0, (clock() + 1000) * 1000)
end

-- The ticket for which a claim has to wait, first of all; a reader waits for writers alone. Without a ticket it is the last.
local function ahead_of(lock, ticket, reader, front)
	local first, stamp = (reader and first_writer or first_of)(lock, ticket, front)
	if not first or first == ticket then
		return nil
	end
	if ticket ~= '' then
		local own = stamp_of(ticket)
		if own < tonumber(stamp) or (own == tonumber(stamp) and ticket < first) then
			return nil
		end
	end
	return first
end

-- Writes a ticket down, or prolongs it. Returns whether it is new, and how many wait besides.
local function register(lock, ticket, life)
	local line, ends = lock .. ':line', lock .. ':ends'
	local waiting = redis.call('ZCARD', ends)
	if waiting >= MAX_TICKETS and not redis.call('ZSCORE', ends, ticket) then
		return true, waiting
	end
	local stamp = stamp_of(ticket)
	local added = redis.call('ZADD', line, 'NX', stamp, ticket)
	life = math.min(tonumber(life), LONGEST)
	redis.call('ZADD', ends, clock() + life, ticket)
	if redis.call('PTTL', ends) < life then -- twice that, so that it is rarely written again
		redis.call('PEXPIRE', line, 2 * life)
		redis.call('PEXPIRE', ends, 2 * life)
	end
	if waiting == 0 or stamp % 16 == 0 then -- now and then is enough
		local dead = redis.call('ZRANGEBYSCORE', ends, '-inf', clock(), 'LIMIT', 0, 16)
		for i = 1, #dead do
			remove(lock, dead[i])
		end
	end
	return added == 1, waiting
end

-- The same. Returns how many stand before it, of a new one no more than that.
local function enqueue(lock, ticket, life)
	local new, waiting = register(lock, ticket, life)
	return not new and redis.call('ZRANK', lock .. ':line', ticket) or waiting
end

local function notify(lock, word, ticket)
	local instance = string.match(ticket, '^%d+:%w+:%d+:(.*):[^:]*$')
	return instance and publish(lock, instance, word .. '\n' .. ticket .. '\n' .. (string.match(lock, '^.-{(.*)}$') or lock)) or 0
end

local function patience_of(ticket)
	return tonumber(string.match(ticket, '^%d+:%w+:(%d+):') or 0)
end

local function is_on_offer(lock, ticket)
	local ends = left_of(lock, ticket)
	return ends > 0 and ends <= patience_of(ticket)
end

-- Offers the name: from now on the ticket stands no longer than its instance may take to ask. True if it is on offer;
-- false if the ticket is dead, or its instance does not listen, so that it goes. A live one asks when it listens again.
local function offer(lock, ticket, again)
	if not again and is_on_offer(lock, ticket) then
		return true
	end
	if not again and left_of(lock, ticket) <= 0 or notify(lock, 'offer', ticket) == 0 then
		remove(lock, ticket)
		return false
	end
	redis.call('ZADD', lock .. ':ends', 'XX', clock() + patience_of(ticket), ticket)
	return true
end

local function free_permits(lock, permits)
	local keys = {}
	for i = 1, permits do
		keys[i] = lock .. ':permit:' .. i
	end
	return permits - redis.call('EXISTS', unpack(keys))
end

-- Those that get the name together, and the one behind them; nothing if the first is a writer and readers have the name.
local function candidates(lock, shared, tickets)
	tickets = tickets or redis.call('ZRANGE', lock .. ':line', 0, 1)
	if not tickets[1] then
		return {}, 0
	end
	if is_reader(tickets[1]) then
		tickets = redis.call('ZRANGE', lock .. ':line', 0, READERS_AT_ONCE)
		local many = 1
		while many < READERS_AT_ONCE and tickets[many + 1] and is_reader(tickets[many + 1]) do
			many = many + 1
		end
		return tickets, many
	end
	if shared then
		return {}, 0
	end
	local permits = tonumber(string.match(tickets[1], '^%d+:(%d+):'))
	if permits then
		local place = free_permits(lock, math.min(permits, 1000)) - 1
		tickets = place >= 0 and redis.call('ZRANGE', lock .. ':line', place, place + 1) or {}
	end
	return tickets, tickets[1] and 1 or 0
end

local function state_of(owner)
	return owner == '' and 'free' or owner == '~shared' and 'shared' or 'held'
end

-- Offers what is free to the first tickets, the first two of which may be known. A name that has become free just now
-- is offered once more, and the next ticket is told. Nobody waits: nothing is published. The round of one ticket that
-- failed, and freed what it had got, is no news to it.
local function pass_on(lock, state, freed, except, first)
	state = state or state_of(redis.call('GETRANGE', lock, 0, 1023))
	for _ = 1, state == 'held' and 0 or 16 do
		local tickets, many = candidates(lock, state == 'shared', first)
		first = nil
		if many == 0 or tickets[1] == except then
			return
		end
		local offered = false
		for i = 1, many do
			offered = offer(lock, tickets[i], freed and i == 1) or offered
		end
		if offered then
			if freed and tickets[many + 1] then
				notify(lock, 'next', tickets[many + 1])
			end
			return
		end
	end
end
