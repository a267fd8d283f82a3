#!/usr/bin/env bash
#
# Lettuce 7.5.2 and 7.7.0: a connection that is lost between MULTI and EXEC comes back without an exception, and without
# the transaction. What was queued is gone; the commands that follow are carried out at once, one by one, while Lettuce
# returns null for them as for queued ones; EXEC fails then, and the half is done. A connection that is lost after WATCH
# forgets what it watched: EXEC writes over the change of another, and reports that nothing was discarded.
#
# Seen, with both: "lost within MULTI: first=null, second=set, EXEC: RedisCommandExecutionException: ERR EXEC without
# MULTI", "lost after WATCH: discarded=false, theirs is overwritten: true", "not lost after WATCH: discarded=true".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if all or
# nothing is carried out, or the second transaction is discarded.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
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
			seen = half(admin, connection) & overwrites(admin, connection);
		}
		finally {
			client.shutdown();
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean half(RedisCommands<String, String> admin, StatefulRedisConnection<String, String> connection)
			throws Exception {
		RedisCommands<String, String> commands = connection.sync();
		commands.multi();
		commands.set("first", "set");
		for (int i = 0; i < 200 && !admin.clientList().contains(" multi=1 "); i++) {
			Thread.sleep(50);
		}
		Thread.sleep(500); // for the reply, without which it would be sent again
		lose(admin, connection);
		commands.set("second", "set");
		String message = "done";
		try {
			commands.exec();
		}
		catch (RedisCommandExecutionException ex) {
			message = ex.getClass().getSimpleName() + ": " + ex.getMessage();
		}
		String first = admin.get("first");
		String second = admin.get("second");
		System.out.println("lost within MULTI: first=" + first + ", second=" + second + ", EXEC: " + message);
		return first == null && "set".equals(second) && message.contains("EXEC without MULTI");
	}

	private static boolean overwrites(RedisCommands<String, String> admin,
			StatefulRedisConnection<String, String> connection) throws Exception {
		RedisCommands<String, String> commands = connection.sync();
		commands.watch("stock");
		lose(admin, connection);
		boolean lost = discarded(admin, commands);
		boolean overwritten = "ours".equals(admin.get("stock"));
		System.out.println("lost after WATCH: discarded=" + lost + ", theirs is overwritten: " + overwritten);
		commands.watch("stock");
		boolean kept = discarded(admin, commands);
		System.out.println("not lost after WATCH: discarded=" + kept);
		return !lost && overwritten && kept;
	}

	private static boolean discarded(RedisCommands<String, String> admin, RedisCommands<String, String> commands) {
		admin.set("stock", "theirs");
		commands.multi();
		commands.set("stock", "ours");
		return commands.exec().wasDiscarded();
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
