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

package example;

import java.util.ArrayList;
import java.util.List;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;

/** Part of a circle, so that its proxy is made before the listeners are registered. */
@Component
public class Orders {

	static final List<String> received = new ArrayList<>();

	@Autowired
	Shipping shipping;

	@DistributedLock("orders")
	@JmsListener(id = "jms", destination = "orders")
	public void fromJms(String order) {
		receive("jms");
	}

	@DistributedLock("orders")
	@KafkaListener(id = "kafka", topics = "orders")
	public void fromKafka(String order) {
		receive("kafka");
	}

	@DistributedLock("orders")
	@RabbitListener(id = "rabbit", queues = "orders")
	public void fromRabbit(String order) {
		receive("rabbit");
	}

	private static void receive(String listener) {
		received.add(listener + (LockContext.current().isPresent() ? " locked" : " NOT locked"));
	}

}
