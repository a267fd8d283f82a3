package io.quorlock.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Adapts {@link LockProperties} to {@link LockZooKeeperConnectionDetails}.
 */
class PropertiesLockZooKeeperConnectionDetails implements LockZooKeeperConnectionDetails {

	private final LockProperties.Zookeeper properties;

	private final Environment environment;

	private final @Nullable SslBundles sslBundles;

	PropertiesLockZooKeeperConnectionDetails(LockProperties properties, Environment environment,
			@Nullable SslBundles sslBundles) {
		this.properties = properties.getZookeeper();
		this.environment = environment;
		this.sslBundles = sslBundles;
	}

	@Override
	public String getConnectString() {
		String own = this.properties.getConnectString();
		return (own != null) ? own : this.environment.getProperty("spring.cloud.zookeeper.connect-string", "");
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		String bundle = this.properties.getSsl().getBundle();
		if (!StringUtils.hasLength(bundle)) {
			return null;
		}
		if (this.sslBundles == null) {
			throw new InvalidLockConfigurationException("distributed-lock.zookeeper.ssl.bundle", bundle,
					"the application has no SSL bundles", "Configure the bundle under spring.ssl.bundle.");
		}
		return this.sslBundles.getBundle(bundle);
	}

}
