package io.quorlock.system;

import java.time.Duration;
import java.util.List;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

/**
 * Takes a lock and keeps it until it is killed.
 */
final class HolderProcess {

	private HolderProcess() {
	}

	/** Arguments: lease in milliseconds, node URIs. */
	public static void main(String[] args) throws Exception {
		List<String> uris = List.of(args).subList(1, args.length);
		Duration lease = Duration.ofMillis(Long.parseLong(args[0]));
		RealEngine engine = RealEngine.start(RealEngine.settings("holder@test:1", lease, Duration.ofSeconds(1)), uris);
		LockHandle lock = engine.template.acquire(LockRequest.of("order:42"));
		System.out.println("HELD " + lock.fencingToken());
		Thread.currentThread().join();
	}

}
