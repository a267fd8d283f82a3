#!/usr/bin/env bash
#
# Spring Integration 7.1.2, JdbcLockRegistry: the owner of a lock is its LockRepository, not the registry. Since the time to
# live belongs to the registry, which a constructor of 7.0 takes, two times to live ask for two registries; with the one
# DefaultLockRepository that an application has, neither keeps the other out. Each gets what the other holds, at once and in
# the same process, changes the end of its lock, and unlocks it.
#
# Seen: "one repository: the second gets what the first holds=true, unlock() of the first: ConcurrentModificationException",
# "a repository each: the second gets what the first holds=false, unlock() of the first: unlocked".
# Needs a JDK of at least 17 and Maven; the database is H2 2.4.240 in memory. Fails if the former is refused, or the latter
# is not.

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
			<groupId>org.springframework.integration</groupId>
			<artifactId>spring-integration-jdbc</artifactId>
			<version>7.1.2</version>
		</dependency>
		<dependency>
			<groupId>com.h2database</groupId>
			<artifactId>h2</artifactId>
			<version>2.4.240</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

import org.h2.jdbcx.JdbcDataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.support.JdbcTransactionManager;

public class Finding {

	private static JdbcDataSource database;

	public static void main(String[] args) throws Exception {
		database = new JdbcDataSource();
		database.setURL("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1");
		DatabasePopulatorUtils.execute(new ResourceDatabasePopulator(
				new ClassPathResource("org/springframework/integration/jdbc/schema-h2.sql")), database);
		DefaultLockRepository one = repository();
		boolean shared = second("one repository", new JdbcLockRegistry(one, Duration.ofMinutes(1)),
				new JdbcLockRegistry(one, Duration.ofMinutes(10)));
		boolean separate = second("a repository each", new JdbcLockRegistry(repository(), Duration.ofMinutes(1)),
				new JdbcLockRegistry(repository(), Duration.ofMinutes(10)));
		System.exit((shared && !separate) ? 0 : 1);
	}

	private static boolean second(String name, JdbcLockRegistry first, JdbcLockRegistry second) {
		Lock held = first.obtain(name);
		held.lock();
		boolean got = CompletableFuture.supplyAsync(() -> {
			Lock lock = second.obtain(name);
			boolean locked = lock.tryLock();
			if (locked) {
				lock.unlock();
			}
			return locked;
		}).join();
		String unlocked = "unlocked";
		try {
			held.unlock();
		}
		catch (RuntimeException ex) {
			unlocked = ex.getClass().getSimpleName();
		}
		System.out.println(name + ": the second gets what the first holds=" + got + ", unlock() of the first: " + unlocked);
		return got;
	}

	private static DefaultLockRepository repository() {
		DefaultLockRepository repository = new DefaultLockRepository(database);
		repository.setTransactionManager(new JdbcTransactionManager(database));
		repository.afterPropertiesSet();
		repository.afterSingletonsInstantiated();
		return repository;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
