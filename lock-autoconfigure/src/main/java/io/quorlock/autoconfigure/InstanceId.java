package io.quorlock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.core.env.Environment;

/**
 * The default name of this instance: {@code shop@host-7:4242}.
 */
final class InstanceId {

	private InstanceId() {
	}

	static String of(Environment environment) {
		return environment.getProperty("spring.application.name", "application") + "@" + host() + ":"
				+ ProcessHandle.current().pid();
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
