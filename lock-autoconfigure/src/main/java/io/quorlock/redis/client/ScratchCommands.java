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

	private final String ticket;

	private final List<byte[]> commands = new ArrayList<>();

	/**
	 * Create the commands.
	 * @param keys makes the keys
	 * @param id distinguishes these keys from those of others that try at the same time
	 */
	private ScratchCommands(RedisKeys keys, String id) {
		this.key = keys.recordKey() + ":probe:" + id;
		this.token = "probe:" + id;
		this.ticket = "0000000000000001:w:probe:" + id;
	}

	static List<byte[]> of(RedisKeys keys, String id, RecordUpdater record) {
		return new ScratchCommands(keys, id).create(record);
	}

	private List<byte[]> create(RecordUpdater record) {
		acquire(LockScript.ACQUIRE, fencing());
		acquire(LockScript.ACQUIRE, fencing()); // refused
		add(LockScript.RAISE, this.token, MILLIS, "2");
		add(LockScript.RENEW, this.token, MILLIS, "1", MILLIS, "3");
		acquire(LockScript.ACQUIRE_SHARED, fencing()); // refused, and waits
		add(LockScript.INSPECT, "1");
		add(LockScript.RELEASE, this.token, "1");
		add(LockScript.WITHDRAW, this.ticket);
		add(LockScript.REQUEST_RELEASE, this.key + ":", "1", "1", "1");
		add(LockScript.FORCE_RELEASE, "1", "0");
		acquire(LockScript.ACQUIRE_ALL);
		add(LockScript.RENEW_SHARED, this.token, MILLIS, "0");
		add(LockScript.RELEASE_SHARED, this.token, "0");
		acquire(LockScript.ACQUIRE_SHARED, fencing());
		add(LockScript.RAISE_SHARED, this.token, MILLIS, "4");
		add(LockScript.INSPECT, "1");
		add(LockScript.RELEASE_SHARED, this.token, MILLIS);
		add(LockScript.RELEASE_SHARED, this.token, "0");
		acquire(LockScript.ACQUIRE_PERMIT, "1", "1");
		add(LockScript.RELEASE_PERMIT, this.token, "0", "1", "0");
		add(LockScript.RELEASE, this.token, "0");
		forget(this.key + ":fence");
		String recordKey = this.key + ":record";
		this.commands.add(record.writeCommand(recordKey));
		forget(recordKey);
		return this.commands;
	}

	private static String[] fencing() {
		return new String[] { MILLIS, "1", "1" };
	}

	private void acquire(LockScript script, String... more) {
		List<String> args = new ArrayList<>(List.of(this.token, MILLIS, this.ticket, "2", MILLIS));
		args.addAll(List.of(more));
		add(script, args.toArray(String[]::new));
	}

	private void add(LockScript script, String... args) {
		add(this.key, script, args);
	}

	private void add(String key, LockScript script, String... args) {
		this.commands.add(RespEncoder.evalsha(script, List.of(key), List.of(args)));
	}

	private void forget(String key) {
		add(key, LockScript.FORCE_RELEASE, "0", "0");
	}

}
