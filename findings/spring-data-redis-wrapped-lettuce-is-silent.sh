#!/usr/bin/env bash
#
# Spring Data Redis 4.1.0 with Lettuce 7.5.2: a RedisMessageListenerContainer on a RedisConnectionFactory that wraps
# LettuceConnectionFactory, as libraries for tracing and routing do, starts, reports that it is listening, and
# delivers no message. The container takes every factory that is not a LettuceConnectionFactory for one whose
# subscribe() blocks; that of Lettuce returns at once, which it takes for the end of the subscription.
#
# Seen: "plain: listening=true, 1 of 1 messages", "wrapped: listening=true, 0 of 1 messages".
# Needs a JDK of at least 17 and Maven; the server is the one in org.signal:embedded-redis (7.0.15). Fails if a
# wrapped factory delivers.

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
			<groupId>org.springframework.data</groupId>
			<artifactId>spring-data-redis</artifactId>
			<version>4.1.0</version>
		</dependency>
		<dependency>
			<groupId>io.lettuce</groupId>
			<artifactId>lettuce-core</artifactId>
			<version>7.5.2.RELEASE</version>
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

import redis.embedded.RedisServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		RedisServer server = new RedisServer(port);
		server.start();
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		lettuce.afterPropertiesSet();
		lettuce.start();
		RedisConnectionFactory wrapper = (RedisConnectionFactory) Proxy.newProxyInstance(
				Finding.class.getClassLoader(), new Class<?>[] { RedisConnectionFactory.class },
				(proxy, method, arguments) -> {
					try {
						return method.invoke(lettuce, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
		boolean plain = delivers("plain", lettuce, lettuce);
		boolean wrapped = delivers("wrapped", wrapper, lettuce);
		server.stop();
		System.exit((plain && !wrapped) ? 0 : 1);
	}

	private static boolean delivers(String name, RedisConnectionFactory factory, RedisConnectionFactory publisher)
			throws Exception {
		CountDownLatch arrived = new CountDownLatch(1);
		MessageListener listener = (message, pattern) -> arrived.countDown();
		RedisMessageListenerContainer container = new RedisMessageListenerContainer();
		container.setConnectionFactory(factory);
		container.addMessageListener(listener, new ChannelTopic(name));
		container.afterPropertiesSet();
		boolean listening = false;
		try {
			container.start();
			listening = container.isListening();
			for (int i = 0; i < 30 && arrived.getCount() > 0; i++) {
				try (RedisConnection connection = publisher.getConnection()) {
					connection.publish(name.getBytes(), "text".getBytes());
				}
				arrived.await(100, TimeUnit.MILLISECONDS);
			}
		}
		catch (RuntimeException ex) {
			System.out.println(name + ": " + ex);
		}
		System.out.println(name + ": listening=" + listening + ", " + (1 - arrived.getCount()) + " of 1 messages");
		return arrived.getCount() == 0;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
java -cp 'lib/*' Finding.java
