#!/usr/bin/env bash
#
# Lettuce 7.5.2 and 7.7.0: when a user loses its right to a channel, the server ends the connections that listen to
# it. Lettuce connects again and subscribes again, which the server refuses (NOPERM). That is one line of its log: the
# connection stays open, no future fails, and when the right is given back it is not tried again, so that no message
# arrives any more.
#
# Seen, with both: "before: 1 of 1 messages", "after the right came back: open=true, 0 of 1 messages".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the
# message arrives, or the connection says that it is closed.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		RedisClient client = RedisClient.create();
		boolean open;
		int later;
		try {
			RedisCommands<String, String> admin = client.connect(RedisURI.create("127.0.0.1", port)).sync();
			setUser(admin, "on", ">secret", "~*", "&*", "+@all");
			RedisURI uri = RedisURI.builder().withHost("127.0.0.1").withPort(port)
					.withAuthentication("locks", "secret".toCharArray()).build();
			StatefulRedisPubSubConnection<String, String> listening = client.connectPubSub(uri);
			AtomicInteger received = new AtomicInteger();
			listening.addListener(new RedisPubSubAdapter<>() {

				@Override
				public void message(String channel, String message) {
					received.incrementAndGet();
				}

			});
			listening.sync().subscribe("news");
			admin.publish("news", "first");
			Thread.sleep(500);
			System.out.println("before: " + received.get() + " of 1 messages");
			setUser(admin, "resetchannels");
			Thread.sleep(5_000);
			setUser(admin, "&*");
			Thread.sleep(5_000);
			received.set(0);
			admin.publish("news", "second");
			Thread.sleep(1_000);
			open = listening.isOpen();
			later = received.get();
			System.out.println("after the right came back: open=" + open + ", " + later + " of 1 messages");
		}
		finally {
			client.shutdown();
			server.stop();
		}
		System.exit((open && later == 0) ? 0 : 1);
	}

	private static void setUser(RedisCommands<String, String> admin, String... rules) {
		CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add("locks");
		for (String rule : rules) {
			args.add(rule);
		}
		admin.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
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
	java -cp 'lib/*' Finding.java
done
