-- The layout of an instance that moves names (R23): its version as the last argument, behind a "v", and the record as the
-- last key. A seal refuses older versions. A node without one has lost its record, and refuses all.
if string.byte(ARGV[#ARGV]) == 118 then
	local version = tonumber(string.sub(table.remove(ARGV), 2))
	local seal = tonumber(redis.call('HGET', table.remove(KEYS), 'seal') or -1) or -1
	if seal < 0 or seal > version then
		return {'~sealed', seal, version}
	end
end
