#!/usr/bin/env bash
#
# Lettuce 7.5.2 and 7.7.0, ClientSideCaching: after a connection was lost and came back, its cache serves what it has, for
# ever. The server forgot that the connection tracks, Lettuce logs in and subscribes again but does not switch tracking
# on again, and the entries stay. No exception says so; who reads a flag, a leader or a fence through it never sees it
# change.
#
# Seen, with both: "before: cached=2, server=2", "after it was lost and came back: cached=2, server=3".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the cache
# is emptied, or sees the change.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		boolean seen;
		try {
			RedisCommands<String, String> admin = client.connect().sync();
			StatefulRedisConnection<String, String> connection = client.connect();
			CacheFrontend<String, String> cache = ClientSideCaching.enable(CacheAccessor.forMap(new ConcurrentHashMap<>()),
					connection, TrackingArgs.Builder.enabled());
			admin.set("leader", "1");
			cache.get("leader");
			boolean before = follows("before", "2", admin, cache);
			lose(admin, connection);
			seen = before & !follows("after it was lost and came back", "3", admin, cache);
		}
		finally {
			client.shutdown();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean follows(String when, String value, RedisCommands<String, String> admin,
			CacheFrontend<String, String> cache) throws Exception {
		admin.set("leader", value);
		Thread.sleep(2_000);
		String cached = cache.get("leader");
		System.out.println(when + ": cached=" + cached + ", server=" + admin.get("leader"));
		return value.equals(cached);
	}

	private static void lose(RedisCommands<String, String> admin, StatefulRedisConnection<String, String> connection)
			throws Exception {
		admin.clientKill(KillArgs.Builder.typeNormal().skipme());
		for (int i = 0; i < 200 && admin.clientList().lines().count() < 2; i++) {
			Thread.sleep(50);
		}
		for (int i = 0; i < 200 && !connection.isOpen(); i++) {
			Thread.sleep(50);
		}
	}

}
JAVA
for version in 7.5.2.RELEASE 7.7.0.RELEASE; do
	cat > pom.xml <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>io.lettuce</groupId>
			<artifactId>lettuce-core</artifactId>
			<version>$version</version>
		</dependency>
		<dependency>
			<groupId>org.signal</groupId>
			<artifactId>embedded-redis</artifactId>
			<version>0.9.1</version>
		</dependency>
	</dependencies>
</project>
POM
	rm -rf lib
	mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
	echo "Lettuce $version"
	timeout 60 java -cp 'lib/*' Finding.java
done
