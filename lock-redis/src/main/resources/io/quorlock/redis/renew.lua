-- Renewal (R6). KEYS locks (or keys of permits), and with fencing for each its fence; ARGV owner, lease, 1 to allow a shorter
-- one and, with fencing, fence lifetime, fences, 1 to prolong the life of them. PEXPIRE comes before any SET: a server whose
-- memory is full allows the first, and then the rest of the script.
local fenced = ARGV[4]
local n = fenced and #KEYS / 2 or #KEYS
local lost = fenced and (ARGV[5 + n] == '1' or redis.call('EXISTS', unpack(KEYS, n + 1)) < n)
local owners, fences, longest, refusal = {}, {}, nil, {0}
for i = 1, n do
	owners[i] = owner_of(KEYS[i])
	refusal[1 + i] = false
	if owners[i] and owners[i] ~= ARGV[1] then
		longest = longer(redis.call('PTTL', KEYS[i]), longest or 0)
		refusal[1 + i] = string.sub(owners[i], 1, 512)
	end
	if fenced and (lost or not owners[i]) then
		local fence, failure = raised(KEYS[i] .. ':fence', ARGV[4 + i])
		if failure then
			return failure
		end
		fences[i] = fence
	end
end
for i = 1, n do
	if owners[i] == ARGV[1] then
		if ARGV[3] == '1' then
			redis.call('PEXPIRE', KEYS[i], ARGV[2])
		else
			prolong(KEYS[i], ARGV[2])
		end
	end
end
for i = 1, n do
	if not owners[i] then
		redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
	end
	if fences[i] and (not owners[i] or owners[i] == ARGV[1]) then
		redis.call('SET', KEYS[i] .. ':fence', fences[i], 'PX', ARGV[4])
	end
end
if longest then
	refusal[1] = longest
	return refusal
end
return 1
