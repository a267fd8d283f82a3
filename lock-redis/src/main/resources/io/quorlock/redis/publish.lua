-- Messages to the channels of instances. A server that knows no keys but those of the script's slot may refuse to publish:
-- then the client does so, and knows no better than the script whether somebody listens.
local refused = {}

-- Keys that are merely tried have no braces.
local function publish(lock, instance, message)
	local channel = (string.match(lock, '^(.-){') or lock .. ':') .. 'instance:' .. instance
	local listening = redis.pcall('PUBLISH', channel, message)
	if type(listening) == 'number' then
		return listening
	end
	refused[#refused + 1] = channel
	refused[#refused + 1] = message
	return 1
end

local function with_messages(reply)
	return refused[1] and {'~publish', reply, refused} or reply
end
