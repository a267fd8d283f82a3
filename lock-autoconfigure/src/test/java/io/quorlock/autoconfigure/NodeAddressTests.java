package io.quorlock.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeAddress}.
 */
class NodeAddressTests {

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			redis://localhost                     | false | - | -       | localhost   | 6379 | 0
			redis://LocalHost:7000                | false | - | -       | localhost   | 7000 | 0
			redis://redis_1:6379/3                | false | - | -       | redis_1     | 6379 | 3
			redis://secret@host                   | false | - | secret  | host        | 6379 | 0
			redis://:secret@host:1/               | false | - | secret  | host        | 1    | 0
			rediss://ann:se%3Acret@host:65535/15  | true  | ann | se:cret | host      | 65535 | 15
			redis://ann:a@b/c:d+e@host            | false | ann | a@b/c:d+e | host    | 6379 | 0
			redis://[::1]:7000                    | false | - | -       | ::1         | 7000 | 0
			""", delimiter = '|')
	void uriIsTakenApart(String uri, boolean tls, String username, String password, String host, int port,
			int database) {
		assertThat(NodeAddress.parse(uri)).isEqualTo(new NodeAddress(tls, username, password, host, port, database));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "localhost:6379", "http://localhost", "redis:/localhost", "redis://", "redis://:6379",
			"redis://host:0", "redis://host:65536", "redis://host:port", "redis://host:1/db", "redis://ho st",
			"redis://::1:6379", "redis://:%zz@host", "redis://host:1?timeout=1s", "redis://a,redis://b" })
	void malformedUriIsNoAddress(String uri) {
		assertThat(NodeAddress.parse(uri)).isNull();
	}

	@Test
	void addressShowsNoSecret() {
		assertThat(NodeAddress.parse("redis://ann:secret@host:7000")).hasToString("host:7000");
		assertThat(NodeAddress.parse("redis://:secret@[::1]:7000")).hasToString("[::1]:7000");
	}

	@ParameterizedTest
	@CsvSource({ "redis://ann:secret@host:x,redis://***@host:x", "redis:/:secret@host,***@host",
			"redis://se:c@ret@host,redis://***@host", "secret://@host,secret://***@host", "redis://host,redis://host" })
	void malformedUriShowsNoSecret(String uri, String shown) {
		assertThat(NodeAddress.withoutSecrets(uri)).isEqualTo(shown);
	}

}
