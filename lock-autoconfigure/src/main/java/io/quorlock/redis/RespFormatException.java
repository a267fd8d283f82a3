package io.quorlock.redis;

import java.io.IOException;

/**
 * What a server sent is no reply in the Redis protocol, or larger than any reply to what
 * it was asked.
 *
 * @since 0.1.0
 */
public class RespFormatException extends IOException {

	private static final long serialVersionUID = 1L;

	/** The first byte of what a server sends that expected TLS. */
	private static final byte TLS_ALERT = 0x15;

	/** The byte that was not expected. */
	private final byte at;

	RespFormatException(byte at) {
		super("does not speak the Redis protocol");
		this.at = at;
	}

	/**
	 * Return whether it looks like what a server sends that expected TLS.
	 * @return whether it is a TLS alert
	 */
	public boolean isTlsAlert() {
		return this.at == TLS_ALERT;
	}

}
