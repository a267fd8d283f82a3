package io.quorlock.aop.declaration;

import java.util.HashMap;
import java.util.Map;

import io.quorlock.LockRequest;

/**
 * Checks that no name is locked with permits by one method and without by another: the
 * two would not exclude each other.
 *
 * @since 0.1.0
 */
public final class PermitsCheck {

	private final Map<Name, LockSpecification> first = new HashMap<>();

	/**
	 * Check one more method.
	 * @param specification what its annotation says
	 * @throws InvalidLockDeclarationException if an earlier method contradicts it
	 */
	public void check(LockSpecification specification) {
		LockRequest request = specification.request();
		LockSpecification earlier = this.first.putIfAbsent(new Name(request.baseName(), specification.key() != null),
				specification);
		if (earlier != null && (earlier.request().permits() > 0) != (request.permits() > 0)) {
			throw new InvalidLockDeclarationException(specification.location(), "permits",
					String.valueOf(request.permits()),
					"%s locks '%s' with permits = %d. With and without permits, the two do not exclude each other"
						.formatted(earlier.location(), request.baseName(), earlier.request().permits()),
					null);
		}
	}

	/** With a key, other names are locked than without. */
	private record Name(String baseName, boolean withKey) {
	}

}
