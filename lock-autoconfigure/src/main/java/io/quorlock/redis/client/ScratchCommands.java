package io.quorlock.redis.client;

import java.util.ArrayList;
import java.util.List;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;

/**
 * Each script once, on keys that no lock has: whether the server lets us run them, with
 * all the rights that they need, and has the memory for it.
 */
final class ScratchCommands {

	private static final String MILLIS = "1000";

	private final String key;

	private final String token;

	private final List<byte[]> commands = new ArrayList<>();

	/**
	 * Create the commands.
	 * @param keys makes the keys
	 * @param id tells our keys from those of others who try at the same time
	 */
	private ScratchCommands(RedisKeys keys, String id) {
		this.key = keys.recordKey() + ":probe:" + id;
		this.token = "probe:" + id;
	}

	static List<byte[]> of(RedisKeys keys, String id, RecordUpdater record) {
		return new ScratchCommands(keys, id).create(record);
	}

	private List<byte[]> create(RecordUpdater record) {
		List<String> lock = List.of(this.key);
		List<String> fenced = List.of(this.key, this.key + ":fence");
		add(LockScript.ACQUIRE, lock, this.token, MILLIS);
		add(LockScript.ACQUIRE, lock, this.token, MILLIS); // refused
		add(LockScript.FORCE_RELEASE, lock);
		add(LockScript.ACQUIRE_ALL, lock, this.token, MILLIS);
		add(LockScript.RENEW, lock, this.token, MILLIS, "0");
		add(LockScript.RELEASE, lock, this.token, "0");
		add(LockScript.ACQUIRE_FENCED, fenced, this.token, MILLIS, MILLIS, "1", "1");
		add(LockScript.RAISE, fenced, this.token, MILLIS, "2");
		add(LockScript.RENEW, fenced, this.token, MILLIS, "1", MILLIS, "3");
		add(LockScript.INSPECT, fenced);
		add(LockScript.RELEASE, lock, this.token, "1");
		add(LockScript.FORCE_RELEASE, lock);
		add(LockScript.ACQUIRE_ALL_FENCED, fenced, this.token, MILLIS, MILLIS, "1", "1");
		add(LockScript.FORCE_RELEASE, lock);
		add(LockScript.FORCE_RELEASE, List.of(this.key + ":fence"));
		String recordKey = this.key + ":record";
		this.commands.add(record.writeCommand(recordKey));
		add(LockScript.FORCE_RELEASE, List.of(recordKey));
		return this.commands;
	}

	private void add(LockScript script, List<String> keys, String... args) {
		this.commands.add(RespEncoder.evalsha(script, keys, List.of(args)));
	}

}
