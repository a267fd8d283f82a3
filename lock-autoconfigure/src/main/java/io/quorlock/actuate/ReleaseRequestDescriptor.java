package io.quorlock.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a request to release a lock.
 *
 * @param name the lock
 * @param sent whether an instance that holds it listens and was sent the request
 * @since 0.1.0
 */
public record ReleaseRequestDescriptor(String name, boolean sent) implements OperationResponseBody {
}
