#!/usr/bin/env bash
#
# Lock4j 2.2.7 (Spring Boot 3.5.7): a method with @Lock4j runs without a lock, and without a word, where the bean was a
# proxy of Spring's before: one that its @Bean method made with a ProxyFactory, as clients of HTTP interfaces and
# repositories of Spring Data are made. The interceptor takes such a target for a bean that is intercepted twice, leaves
# the lock to the inner proxy, and that one has none. The same class as a plain bean is locked.
#
# Seen: "plain bean: runs while it runs=false", "bean that was a proxy: runs while it runs=true".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if the plain
# bean is not locked, or the other is.

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
	<dependencyManagement>
		<dependencies>
			<dependency>
				<groupId>org.springframework.boot</groupId>
				<artifactId>spring-boot-dependencies</artifactId>
				<version>3.5.7</version>
				<type>pom</type>
				<scope>import</scope>
			</dependency>
		</dependencies>
	</dependencyManagement>
	<dependencies>
		<dependency>
			<groupId>org.springframework.boot</groupId>
			<artifactId>spring-boot-starter-data-redis</artifactId>
		</dependency>
		<dependency>
			<groupId>org.springframework.boot</groupId>
			<artifactId>spring-boot-starter-aop</artifactId>
		</dependency>
		<dependency>
			<groupId>com.baomidou</groupId>
			<artifactId>lock4j-redis-template-spring-boot-starter</artifactId>
			<version>2.2.7</version>
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
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import com.baomidou.lock.annotation.Lock4j;
import com.baomidou.lock.exception.LockFailureException;
import redis.embedded.RedisServer;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.interceptor.SimpleTraceInterceptor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@EnableAutoConfiguration
public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		boolean seen;
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Finding.class)
			.run("--spring.data.redis.port=" + port, "--logging.level.root=off", "--spring.main.banner-mode=off")) {
			seen = !both("plain bean", context.getBean("plain", Work.class))
					& both("bean that was a proxy", context.getBean("traced", Work.class));
		}
		finally {
			server.stop();
		}
		System.exit(seen ? 0 : 1);
	}

	private static boolean both(String what, Work bean) {
		boolean both = bean.run(() -> CompletableFuture.supplyAsync(() -> {
			try {
				return bean.run(() -> true);
			}
			catch (LockFailureException ex) {
				return false;
			}
		}).join());
		System.out.println(what + ": runs while it runs=" + both);
		return both;
	}

	@Bean
	Work plain() {
		return new Work();
	}

	@Bean
	Work traced() {
		ProxyFactory factory = new ProxyFactory(new Work());
		factory.addAdvice(new SimpleTraceInterceptor());
		return (Work) factory.getProxy();
	}

	static class Work {

		@Lock4j(name = "work", acquireTimeout = 200)
		public boolean run(BooleanSupplier work) {
			return work.getAsBoolean();
		}

	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
javac -proc:none -cp 'lib/*' -d . Finding.java
timeout 120 java -cp 'lib/*:.' Finding
