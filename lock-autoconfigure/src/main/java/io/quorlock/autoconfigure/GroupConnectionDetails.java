package io.quorlock.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The nodes of one group, connected to as all others are.
 */
final class GroupConnectionDetails implements LockConnectionDetails {

	private final LockConnectionDetails all;

	private final List<String> nodes;

	GroupConnectionDetails(LockConnectionDetails all, List<String> nodes) {
		this.all = all;
		this.nodes = nodes;
	}

	@Override
	public List<String> getNodes() {
		return this.nodes;
	}

	@Override
	public @Nullable String getUsername() {
		return this.all.getUsername();
	}

	@Override
	public @Nullable String getPassword() {
		return this.all.getPassword();
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		return this.all.getSslBundle();
	}

}
