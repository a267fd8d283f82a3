package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The Lua scripts. Each takes effect on all of its keys or on none, so whatever can fail
 * comes before the first write. They run on Redis 6.2 and later and on Valkey.
 * <p>
 * Keys: the lock keys, followed, with fencing, by the fence keys in the same order. The
 * first argument is the token. Fences are handed to Redis as Lua numbers, never joined to
 * a string, which would store {@code 1.79e+15} (R9); beyond 2<sup>53</sup> a Lua number
 * is no longer exact, so that such a fence is refused. A stored fence that is no number,
 * or more than a day ahead of the proposal, is the error {@code FENCE}: it is garbage,
 * and must not spread to other nodes.
 * <p>
 * A refusal is an array: remaining milliseconds, the longest of all names; per name the
 * other owner, cut to 512 bytes, or nil; with fencing the stored fence of each name.
 *
 * @since 0.1.0
 */
public enum LockScript {

	/**
	 * One name without fencing: token, lease.
	 */
	ACQUIRE("""
			if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
				return 1
			end
			return {redis.call('PTTL', KEYS[1]), string.sub(redis.call('GET', KEYS[1]), 1, 512)}
			"""),

	/**
	 * One name with fencing: token, lease, fence lifetime, range, proposed fence.
	 */
	ACQUIRE_FENCED("""
			local proposed = tonumber(ARGV[5])
			local stored = tonumber(redis.call('GET', KEYS[2]) or 0)
			if not stored or not (stored >= 0 and stored <= proposed + 86400000000 and stored % 1 == 0) then
				return redis.error_reply('FENCE unusable')
			end
			local fence = math.max(stored + ARGV[4], proposed)
			if not (fence >= 1 and fence < 9007199254740992) then
				return redis.error_reply('ERR fence out of range')
			end
			if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
				redis.call('SET', KEYS[2], fence, 'PX', ARGV[3])
				return fence
			end
			local owner = string.sub(redis.call('GET', KEYS[1]), 1, 512)
			return {redis.call('PTTL', KEYS[1]), owner, stored}
			"""),

	/**
	 * Several names without fencing: token, lease (R12).
	 */
	ACQUIRE_ALL("""
			local longest, reply = nil, {0}
			for i = 1, #KEYS do
				local owner = redis.call('GET', KEYS[i])
				reply[1 + i] = owner and string.sub(owner, 1, 512)
				if owner then
					local left = redis.call('PTTL', KEYS[i])
					longest = (left == -1 or longest == -1) and -1 or math.max(left, longest or 0)
				end
			end
			if longest then
				reply[1] = longest
				return reply
			end
			for i = 1, #KEYS do
				redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
			end
			return 1
			"""),

	/**
	 * Several names with fencing: token, lease, fence lifetime, range, proposed fences
	 * (R12).
	 */
	ACQUIRE_ALL_FENCED("""
			local n = #KEYS / 2
			local longest, reply, fences = nil, {0}, {}
			for i = 1, n do
				local proposed = tonumber(ARGV[4 + i])
				local stored = tonumber(redis.call('GET', KEYS[n + i]) or 0)
				if not stored or not (stored >= 0 and stored <= proposed + 86400000000 and stored % 1 == 0) then
					return redis.error_reply('FENCE unusable')
				end
				fences[i] = math.max(stored + ARGV[4], proposed)
				if not (fences[i] >= 1 and fences[i] < 9007199254740992) then
					return redis.error_reply('ERR fence out of range')
				end
				local owner = redis.call('GET', KEYS[i])
				reply[1 + i] = owner and string.sub(owner, 1, 512)
				reply[1 + n + i] = stored
				if owner then
					local left = redis.call('PTTL', KEYS[i])
					longest = (left == -1 or longest == -1) and -1 or math.max(left, longest or 0)
				end
			end
			if longest then
				reply[1] = longest
				return reply
			end
			for i = 1, n do
				redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
				redis.call('SET', KEYS[n + i], fences[i], 'PX', ARGV[3])
			end
			return fences
			"""),

	/**
	 * The second round of fencing: token, fence lifetime, fences (R9).
	 */
	RAISE("""
			local n = #KEYS / 2
			local fences = {}
			for i = 1, n do
				if redis.call('GET', KEYS[i]) ~= ARGV[1] then
					return 0
				end
				local stored = tonumber(redis.call('GET', KEYS[n + i]) or 0)
				if not stored or not (stored >= 0 and stored % 1 == 0) then
					return redis.error_reply('FENCE unusable')
				end
				fences[i] = math.max(stored, ARGV[2 + i])
				if not (fences[i] >= 1 and fences[i] < 9007199254740992) then
					return redis.error_reply('ERR fence out of range')
				end
			end
			for i = 1, n do
				redis.call('SET', KEYS[n + i], fences[i], 'PX', ARGV[2])
			end
			return 1
			"""),

	/**
	 * Renewal: token, lease, 1 to allow a shorter one, fence lifetime, fences; without
	 * fencing the last two are absent, as are the fence keys (R6). {@code PEXPIRE} comes
	 * before any {@code SET}: a server whose memory is full allows the first, and then
	 * the rest of the script.
	 */
	RENEW("""
			local n = #KEYS
			if ARGV[4] then
				n = n / 2
			end
			local owners, fences, longest, refusal = {}, {}, nil, {0}
			for i = 1, n do
				owners[i] = redis.call('GET', KEYS[i])
				refusal[1 + i] = false
				if owners[i] and owners[i] ~= ARGV[1] then
					local left = redis.call('PTTL', KEYS[i])
					longest = (left == -1 or longest == -1) and -1 or math.max(left, longest or 0)
					refusal[1 + i] = string.sub(owners[i], 1, 512)
				end
				if ARGV[4] then
					local stored = tonumber(redis.call('GET', KEYS[n + i]) or 0)
					if not stored or not (stored >= 0 and stored % 1 == 0) then
						return redis.error_reply('FENCE unusable')
					end
					fences[i] = math.max(stored, ARGV[4 + i])
					if not (fences[i] >= 1 and fences[i] < 9007199254740992) then
						return redis.error_reply('ERR fence out of range')
					end
				end
			end
			for i = 1, n do
				if owners[i] == ARGV[1] then
					local lease = tonumber(ARGV[2])
					if ARGV[3] ~= '1' then
						lease = math.max(lease, redis.call('PTTL', KEYS[i]))
					end
					redis.call('PEXPIRE', KEYS[i], lease)
				end
			end
			for i = 1, n do
				if not owners[i] then
					redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2])
				end
				if fences[i] and (not owners[i] or owners[i] == ARGV[1]) then
					redis.call('SET', KEYS[n + i], fences[i], 'PX', ARGV[4])
				end
			end
			if longest then
				refusal[1] = longest
				return refusal
			end
			return 1
			"""),

	/**
	 * Release: token, cool-down; returns how many received the message (R8, R18). A name
	 * that cools down belongs to nobody: a repeated release leaves it alone.
	 */
	RELEASE("""
			local heard = 0
			for i = 1, #KEYS do
				if redis.call('GET', KEYS[i]) == ARGV[1] then
					if ARGV[2] == '0' then
						redis.call('DEL', KEYS[i])
						heard = heard + redis.call('PUBLISH', KEYS[i] .. ':released', '')
					else
						redis.call('PEXPIRE', KEYS[i], ARGV[2]) -- allowed when memory is full
						redis.call('SET', KEYS[i], '~cooldown', 'PX', ARGV[2])
					end
				end
			end
			return heard
			"""),

	/**
	 * Who holds one name, for how long, and its fence.
	 */
	INSPECT("""
			local owner = redis.call('GET', KEYS[1])
			owner = owner and string.sub(owner, 1, 512)
			return {owner, redis.call('PTTL', KEYS[1]), tonumber(redis.call('GET', KEYS[2]) or 0)}
			"""),

	/**
	 * Release, whoever holds the names.
	 */
	FORCE_RELEASE("""
			local heard = 0
			for i = 1, #KEYS do
				if redis.call('DEL', KEYS[i]) == 1 then
					heard = heard + redis.call('PUBLISH', KEYS[i] .. ':released', '')
				end
			end
			return heard
			"""),

	/**
	 * The node's record of the node list (R10): what to do, our list of nodes, and for
	 * how many seconds a list is remembered. {@code read} changes nothing, {@code stay}
	 * says that our list is in use; {@code found} and {@code join} write an absent record
	 * first. A record from the future, which a stepped clock leaves behind, begins anew.
	 * Returns since when the record stands, the node's time, both in seconds, and the
	 * other lists in use.
	 */
	RECORD("""
			local now = tonumber(redis.call('TIME')[1])
			local since = redis.call('HGET', KEYS[1], 'since')
			local known = tonumber(since)
			if not since and (ARGV[1] == 'found' or ARGV[1] == 'join') then
				known = ARGV[1] == 'found' and 0 or now
				redis.call('HSET', KEYS[1], 'since', known)
			elseif since and (not known or known > now) and ARGV[1] ~= 'read' then
				known = now
				redis.call('HSET', KEYS[1], 'since', known)
			elseif since and not known then
				known = now
			end
			local reply = {known or false, now}
			if known then
				local fields = redis.call('HGETALL', KEYS[1])
				for i = 1, #fields, 2 do
					if fields[i] ~= 'since' and fields[i] ~= ARGV[2] then
						if now - (tonumber(fields[i + 1]) or 0) <= tonumber(ARGV[3]) then
							if #reply < 34 then
								reply[#reply + 1] = string.sub(fields[i], 1, 4096)
							end
						elseif ARGV[1] ~= 'read' then
							redis.call('HDEL', KEYS[1], fields[i])
						end
					end
				end
				if ARGV[1] ~= 'read' then
					redis.call('HSET', KEYS[1], ARGV[2], now)
				end
			end
			return reply
			""");

	private final String source;

	private final String sha1;

	LockScript(String source) {
		this.source = source;
		this.sha1 = sha1(source);
	}

	/**
	 * The text of the script.
	 * @return Lua
	 */
	public String source() {
		return this.source;
	}

	/**
	 * The name under which a server keeps the script.
	 * @return 40 hexadecimal digits
	 */
	public String sha1() {
		return this.sha1;
	}

	private static String sha1(String source) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
