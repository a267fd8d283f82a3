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

import java.util.Map;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;

import static org.assertj.core.api.Assertions.assertThat;

/** Listeners are registered as usual, and get a message without a broker. */
@SpringBootTest(properties = { "spring.main.allow-circular-references=true", "distributed-lock.backend=in-memory" })
class ExampleApplicationTests {

	@Autowired
	JmsListenerEndpointRegistry jms;

	@Autowired
	KafkaListenerEndpointRegistry kafka;

	@Autowired
	RabbitListenerEndpointRegistry rabbit;

	@Test
	@SuppressWarnings("unchecked")
	void listenersOfABeanInACircleAreLocked() throws Exception {
		TextMessage text = Mockito.mock(TextMessage.class);
		Mockito.when(text.getText()).thenReturn("order");
		Object listener = ((DefaultMessageListenerContainer) this.jms.getListenerContainer("jms")).getMessageListener();
		if (listener instanceof SessionAwareMessageListener<?> aware) {
			((SessionAwareMessageListener<TextMessage>) aware).onMessage(text, Mockito.mock(Session.class));
		}
		else {
			((MessageListener) listener).onMessage(text);
		}
		((AcknowledgingConsumerAwareMessageListener<String, String>) this.kafka.getListenerContainer("kafka")
			.getContainerProperties()
			.getMessageListener()).onMessage(new ConsumerRecord<>("orders", 0, 0, "key", "order"), null,
					Mockito.mock(Consumer.class));
		((ChannelAwareMessageListener) ((AbstractMessageListenerContainer) this.rabbit.getListenerContainer("rabbit"))
			.getMessageListener()).onMessage(
					MessageBuilder.withBody("order".getBytes()).setContentType("text/plain").build(), null);
		assertThat(Orders.received).containsExactly("jms locked", "kafka locked", "rabbit locked");
	}

	@EnableJms
	@EnableKafka
	@EnableRabbit
	@TestConfiguration(proxyBeanMethods = false)
	static class ListenerConfiguration {

		@Bean
		DefaultJmsListenerContainerFactory jmsListenerContainerFactory() {
			DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
			factory.setConnectionFactory(Mockito.mock(ConnectionFactory.class));
			factory.setAutoStartup(false);
			return factory;
		}

		@Bean
		ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
			ConcurrentKafkaListenerContainerFactory<String, String> factory = new ConcurrentKafkaListenerContainerFactory<>();
			factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of("bootstrap.servers", "localhost:1")));
			factory.setAutoStartup(false);
			return factory;
		}

		@Bean
		SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory() {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(new CachingConnectionFactory("localhost", 1));
			factory.setAutoStartup(false);
			return factory;
		}

	}

}
