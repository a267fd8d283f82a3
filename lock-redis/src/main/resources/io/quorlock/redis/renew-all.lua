-- Renewals of several leases, each by itself (R28). KEYS the lock (or permit) of each, and for each its fence; ARGV lease,
-- fence lifetime or 0 without fencing, 1 to prolong the lives of the fences, owners and, with fencing, fences. The reply
-- has one element for each: 1, a refusal as that of renew.lua, or an error as text. Only what another holds or what is
-- garbage is left out, so nothing raises an error that would end the script for all.
local n, call = #KEYS / 2, redis.call
local lease, life = ARGV[1], ARGV[2]
local lost = life ~= '0' and (ARGV[3] == '1' or call('EXISTS', unpack(KEYS, n + 1)) < n)
local replies, absent, fences = {}, {}, {}
for i = 1, n do
	local key, reply = KEYS[i], 1
	local owner = redis.pcall('GETRANGE', key, '0', '1023')
	if owner ~= ARGV[3 + i] then
		if type(owner) == 'table' then
			reply = owner.err
		elseif owner ~= '' or call('EXISTS', key) == 1 then
			reply = {call('PTTL', key), string.sub(owner, 1, 512)}
		else
			absent[i] = true
		end
	end
	if reply == 1 and (lost or absent[i] and life ~= '0') then
		local fence, failure = raised(KEYS[n + i], ARGV[3 + n + i])
		fences[i] = fence
		reply = failure and failure.err or 1
	end
	replies[i] = reply
end
for i = 1, n do
	if replies[i] == 1 and not absent[i] then
		prolong(KEYS[i], lease) -- before any SET, as in renew.lua
	end
end
for i = 1, n do
	if replies[i] == 1 and absent[i] then
		call('SET', KEYS[i], ARGV[3 + i], 'PX', lease)
	end
	if fences[i] then
		call('SET', KEYS[n + i], fences[i], 'PX', life)
	end
end
return replies
