package io.quorlock.engine;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.quorlock.LockHandle;

/**
 * Lets the simulation do what only blocking methods offer: it has one thread.
 */
public final class SimulationAccess {

	private static final Field LEASE = lease();

	private SimulationAccess() {
	}

	private static Field lease() {
		try {
			Field field = Handle.class.getDeclaredField("lease");
			field.setAccessible(true);
			return field;
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** As {@link LockHandle#extend}, without waiting for the answers. */
	public static CompletableFuture<Boolean> extend(LockHandle handle, Duration lease) {
		try {
			return ((Lease) LEASE.get(handle)).extend(lease);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
