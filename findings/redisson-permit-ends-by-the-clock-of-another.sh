#!/usr/bin/env bash
#
# Redisson 4.7.0, RPermitExpirableSemaphore: when the lease of a permit is over is decided with the clock of whoever asks
# next, not with that of the server. A client whose clock is two minutes ahead takes a permit of which most of a minute is
# left, and more hold permits than there are. Locks of Redisson are not affected: theirs are expiries of the server.
#
# Seen: "same clock: another gets the only permit=false", "two minutes ahead: another gets the only permit=true, its
# holder has 36 s left by the first clock" (it took long to start the others here).
# Needs Debian with apt-get (libfaketime 0.9.10 is unpacked, not installed), a JDK of at least 17 and Maven; the server is
# the one in org.signal:embedded-redis (7.0.15). Fails if the former gets a permit, or the latter none.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download libfaketime >/dev/null 2>&1
dpkg -x libfaketime_*.deb faketime
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.redisson</groupId>
			<artifactId>redisson</artifactId>
			<version>4.7.0</version>
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.redisson.Redisson;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.config.Config;

import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		if (args.length > 0) {
			System.exit((permits(Integer.parseInt(args[0])).tryAcquire() != null) ? 10 : 20);
		}
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		boolean seen;
		try {
			RPermitExpirableSemaphore permits = permits(port);
			permits.trySetPermits(1);
			String permit = permits.acquire(60, TimeUnit.SECONDS);
			long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
			boolean same = another(port, "+0");
			System.out.println("same clock: another gets the only permit=" + same);
			long left = TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime());
			boolean ahead = another(port, "+120s");
			System.out.println("two minutes ahead: another gets the only permit=" + ahead + ", its holder has " + left
					+ " s left by the first clock");
			seen = permit != null && !same && ahead;
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean another(int port, String clock) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				"lib/*:.", "Finding", String.valueOf(port));
		try (Stream<Path> files = Files.walk(Path.of("faketime"))) {
			builder.environment().put("LD_PRELOAD", files.filter((file) -> file.endsWith("libfaketime.so.1"))
				.findFirst().orElseThrow().toAbsolutePath().toString());
		}
		builder.environment().put("FAKETIME", clock);
		builder.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
		int outcome = builder.redirectErrorStream(true).redirectOutput(new java.io.File("another.log")).start().waitFor();
		if (outcome != 10 && outcome != 20) {
			throw new IllegalStateException("exit code " + outcome + ": " + Files.readString(Path.of("another.log")));
		}
		return outcome == 10;
	}

	private static RPermitExpirableSemaphore permits(int port) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://127.0.0.1:" + port).setConnectionMinimumIdleSize(1)
				.setConnectionPoolSize(4);
		return Redisson.create(config).getPermitExpirableSemaphore("permits");
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
javac -cp 'lib/*' -d . Finding.java
timeout 120 java -cp 'lib/*:.' Finding
