package io.quorlock.actuate;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The path of the servlet request that is being handled. Actuator drops empty segments
 * and path parameters before an operation sees them, so that {@code //a} and
 * {@code a;b=c} would both act on {@code a}.
 */
final class RequestPath {

	private RequestPath() {
	}

	/**
	 * Check that the path has no part that Actuator drops.
	 * @throws InvalidEndpointRequestException if a segment is empty or has parameters
	 */
	static void requireUnambiguous() {
		RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
		if (!(attributes instanceof ServletRequestAttributes servlet)) {
			return;
		}
		HttpServletRequest request = servlet.getRequest();
		String path = request.getRequestURI();
		if (path.contains("//") || path.contains(";") || path.endsWith("/")) {
			throw new InvalidEndpointRequestException("The path has an empty segment or path parameters",
					"Empty segments and path parameters are not part of the name of a lock. Encode them.");
		}
	}

}
