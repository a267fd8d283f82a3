-- Renewal of a reader, and the turn from a writer into a reader (R19). It puts the reader back where the key is absent or
-- shared. KEYS locks, and for each its fence, readers, queue and ends; ARGV as in renew.lua; the fence is always prolonged.
local n = #KEYS / 5
local fenced = ARGV[4]
local now = clock()
local owners, fences, longest, refusal = {}, {}, nil, {0}
for i = 1, n do
	owners[i] = owner_of(KEYS[i])
	refusal[1 + i] = false
	if owners[i] and owners[i] ~= '~shared' and owners[i] ~= ARGV[1] then
		longest = longer(redis.call('PTTL', KEYS[i]), longest or 0)
		refusal[1 + i] = string.sub(owners[i], 1, 512)
	end
	if fenced then
		local fence, failure = raised(KEYS[i] .. ':fence', ARGV[4 + i])
		if failure then
			return failure
		end
		fences[i] = fence
	end
end
for i = 1, n do
	if not refusal[1 + i] then
		local readers = KEYS[i] .. ':readers'
		purge(readers) -- allowed when memory is full
		local expiry = now + ARGV[2]
		if ARGV[3] ~= '1' then
			expiry = math.max(expiry, tonumber(redis.call('ZSCORE', readers, ARGV[1]) or 0))
			if owners[i] == ARGV[1] then
				expiry = math.max(expiry, now + redis.call('PTTL', KEYS[i]))
			end
		end
		redis.call('ZADD', readers, string.format('%.0f', expiry), ARGV[1])
		local last = redis.call('ZREVRANGE', readers, 0, 0, 'WITHSCORES')[2]
		redis.call('SET', KEYS[i], '~shared', 'PXAT', last)
		redis.call('PEXPIREAT', readers, last)
		if owners[i] == ARGV[1] then
			pass_on(KEYS[i], 'shared', true) -- other readers may come now
		end
		if fenced then
			redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[4])
		end
	end
end
if longest then
	refusal[1] = longest
	return refusal
end
return 1
