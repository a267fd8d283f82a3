/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.redis.spring;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * Tests for a {@link SpringRedisLockNode} whose address is moved to another server, as
 * that of the primary endpoint of a managed service.
 */
@Timeout(60)
class LettuceMovedMasterTests {

	private int names;

	/** The former master keeps its connections, and replies to pings. */
	@Test
	void locksAreTakenOnTheServerThatIsMasterNow() {
		try (EmbeddedRedisNode former = EmbeddedRedisNode.start();
				EmbeddedRedisNode next = EmbeddedRedisNode.builder().replicaOf(former).start()) {
			AtomicInteger port = new AtomicInteger(former.port());
			ClientResources resources = ClientResources.builder()
				.socketAddressResolver(MappingSocketAddressResolver.create(DnsResolvers.UNRESOLVED,
						(address) -> HostAndPort.of("127.0.0.1", port.get())))
				.build();
			LettuceConnectionFactory factory = new LettuceConnectionFactory(
					new RedisStandaloneConfiguration("primary", 6379),
					LettuceClientConfiguration.builder().clientResources(resources).build());
			factory.afterPropertiesSet();
			factory.start();
			LockNode node = Nodes.start(Nodes.over(factory));
			Awaitility.await().until(() -> acquire(node) instanceof NodeReply.Granted);
			next.execute("REPLICAOF", "NO", "ONE");
			former.execute("REPLICAOF", "127.0.0.1", Integer.toString(next.port()));
			port.set(next.port());
			Awaitility.await().until(() -> acquire(node) instanceof NodeReply.Granted);
			node.stop();
			factory.destroy();
			resources.shutdown();
		}
	}

	private NodeReply acquire(LockNode node) {
		return Nodes.reply(node,
				new NodeCommand.Acquire(List.of("n" + this.names++), new Attempt("app:1"), 30_000, null, 1, 0));
	}

}
