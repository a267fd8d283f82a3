-- Fences are Lua numbers, never joined to a string, which would store 1.79e+15; beyond 2^53 they are no longer exact (R9).

-- What the key stores, or nil if it is garbage: no whole number, more than it may be, or of another type.
local function stored_fence(key, max)
	local text = redis.pcall('GETRANGE', key, 0, 31)
	local stored = text == '' and 0 or type(text) == 'string' and tonumber(text)
	if stored and stored >= 0 and stored <= max and stored % 1 == 0 then
		return stored
	end
end

local function is_fence(fence)
	return fence >= 1 and fence < 9007199254740992
end

local A_DAY = 86400000000 -- that far ahead of a proposal is garbage that must not spread
local UNUSABLE = {err = 'FENCE unusable'}
local OUT_OF_RANGE = {err = 'ERR fence out of range'}

-- The greater of what the key stores and of a fence that was granted; nil and an error if one of them is unusable.
local function raised(key, granted)
	local stored = stored_fence(key, 9007199254740991)
	if not stored then
		return nil, UNUSABLE
	end
	local fence = math.max(stored, tonumber(granted))
	if not is_fence(fence) then
		return nil, OUT_OF_RANGE
	end
	return fence
end
