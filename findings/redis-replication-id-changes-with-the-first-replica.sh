#!/usr/bin/env bash
#
# Redis 7.0.15 (Valkey 9.1.2 and Redis 8.6.3 alike): master_replid, "the replication ID of the Redis server", is no
# identity of a server or of its data. It changes when a master gets its first replica, although nothing was restarted or
# lost, and master_replid2 does not keep the one before, as it does at a failover. run_id, on the other hand, stays when a
# server throws its data away and copies those of another.
#
# Seen: "first replica: same run_id=true, same master_replid=false, master_replid2 is empty=true"; "after it copied
# another: same run_id=true, its key is gone=true".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis. Fails if one of these changes.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>redis.clients</groupId>
			<artifactId>jedis</artifactId>
			<version>7.4.1</version>
		</dependency>
		<dependency>
			<groupId>org.signal</groupId>
			<artifactId>embedded-redis</artifactId>
			<version>0.9.1</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;

import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int first = freePort();
		RedisServer master = new RedisServer(first);
		master.start();
		int second = freePort();
		RedisServer replica = new RedisServer(second);
		replica.start();
		boolean seen;
		try (Jedis onMaster = new Jedis("127.0.0.1", first); Jedis onReplica = new Jedis("127.0.0.1", second)) {
			onMaster.set("theirs", "");
			onReplica.set("ours", "");
			String masterRun = field(onMaster, "run_id");
			String replicaRun = field(onReplica, "run_id");
			String id = field(onMaster, "master_replid");
			onReplica.replicaof("127.0.0.1", first);
			for (int i = 0; i < 300 && !field(onReplica, "master_link_status").equals("up"); i++) {
				Thread.sleep(100);
			}
			boolean sameRun = field(onMaster, "run_id").equals(masterRun);
			boolean sameId = field(onMaster, "master_replid").equals(id);
			boolean empty = field(onMaster, "master_replid2").matches("0+");
			System.out.println("first replica: same run_id=" + sameRun + ", same master_replid=" + sameId
					+ ", master_replid2 is empty=" + empty);
			onReplica.replicaofNoOne();
			boolean sameCopy = field(onReplica, "run_id").equals(replicaRun);
			boolean gone = !onReplica.exists("ours") && onReplica.exists("theirs");
			System.out.println("after it copied another: same run_id=" + sameCopy + ", its key is gone=" + gone);
			seen = sameRun && !sameId && empty && sameCopy && gone;
		}
		finally {
			replica.stop();
			master.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static String field(Jedis jedis, String name) {
		return jedis.info().lines().filter((line) -> line.startsWith(name + ":"))
				.map((line) -> line.substring(name.length() + 1).strip()).findFirst().orElse("");
	}

	private static int freePort() throws Exception {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
