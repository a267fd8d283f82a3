package io.quorlock.redis.client;

import java.util.ArrayList;
import java.util.Arrays;
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
	 * @param id tells our keys from those of others who try at the same time
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
		List<String> plain = keys("", ":waiters", ":readers");
		List<String> fenced = keys("", ":waiters", ":readers", ":fence");
		acquire(LockScript.ACQUIRE, fenced, fencing());
		acquire(LockScript.ACQUIRE, fenced, fencing()); // refused
		add(LockScript.RAISE, keys("", ":fence"), this.token, MILLIS, "2");
		add(LockScript.RENEW, keys("", ":fence"), this.token, MILLIS, "1", MILLIS, "3");
		acquire(LockScript.ACQUIRE_SHARED, fenced, fencing()); // refused, and waits
		add(LockScript.INSPECT, fenced, "1");
		add(LockScript.RELEASE, keys("", ":waiters"), this.token, "1");
		add(LockScript.WITHDRAW, keys("", ":waiters"), this.ticket);
		add(LockScript.REQUEST_RELEASE, keys("", ":readers"), this.key + ":", "1", "1", "1");
		add(LockScript.FORCE_RELEASE, plain, "1", "0");
		acquire(LockScript.ACQUIRE_ALL, plain);
		add(LockScript.RENEW_SHARED, keys("", ":readers"), this.token, MILLIS, "0");
		add(LockScript.RELEASE_SHARED, plain, this.token, "0");
		acquire(LockScript.ACQUIRE_SHARED, fenced, fencing());
		add(LockScript.RAISE_SHARED, keys("", ":readers", ":fence"), this.token, MILLIS, "4");
		add(LockScript.INSPECT, fenced, "1");
		add(LockScript.RELEASE_SHARED, plain, this.token, MILLIS);
		add(LockScript.RELEASE_SHARED, plain, this.token, "0");
		acquire(LockScript.ACQUIRE_PERMIT, keys("", ":waiters"), "1", "1");
		add(LockScript.RELEASE_PERMIT, keys("", ":waiters"), this.token, "0", "1", "0");
		add(LockScript.RELEASE, keys("", ":waiters"), this.token, "0");
		forget(this.key + ":fence");
		String recordKey = this.key + ":record";
		this.commands.add(record.writeCommand(recordKey));
		forget(recordKey);
		return this.commands;
	}

	private List<String> keys(String... suffixes) {
		return Arrays.stream(suffixes).map((suffix) -> this.key + suffix).toList();
	}

	private static String[] fencing() {
		return new String[] { MILLIS, "1", "1" };
	}

	private void acquire(LockScript script, List<String> keys, String... more) {
		List<String> args = new ArrayList<>(List.of(this.token, MILLIS, this.ticket, "2", MILLIS));
		args.addAll(List.of(more));
		add(script, keys, args.toArray(String[]::new));
	}

	private void forget(String key) {
		add(LockScript.FORCE_RELEASE, List.of(key, key + ":waiters", key + ":readers"), "0", "0");
	}

	private void add(LockScript script, List<String> keys, String... args) {
		this.commands.add(RespEncoder.evalsha(script, keys, List.of(args)));
	}

}
