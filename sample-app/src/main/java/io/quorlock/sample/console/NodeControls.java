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

package io.quorlock.sample.console;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.quorlock.sample.nodes.ConditionalOnOwnNodes;
import io.quorlock.sample.nodes.DemoNode;
import io.quorlock.sample.nodes.DemoNodes;

/**
 * The controls of the nodes. They exist only if the sample started the nodes itself.
 */
@RestController
@ConditionalOnOwnNodes
@RequestMapping(path = "/console/nodes", consumes = MediaType.APPLICATION_JSON_VALUE)
@ResponseStatus(HttpStatus.NO_CONTENT)
class NodeControls {

	private final DemoNodes nodes;

	NodeControls(DemoNodes nodes) {
		this.nodes = nodes;
	}

	@PostMapping("/{index}")
	void node(@PathVariable int index, @RequestBody NodeCommand command) {
		if (index < 0 || index >= this.nodes.nodes().size()) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "there is no node " + index);
		}
		DemoNode node = this.nodes.node(index);
		switch (command.action()) {
			case STOP -> node.stop();
			case PAUSE -> node.pause();
			case RESUME -> node.resume();
			case RESTART -> node.restartEmpty();
			case DELAY -> node.delay(Duration.ofMillis(command.roundTripMillis()));
		}
	}

	record NodeCommand(Action action, @Nullable Integer millis) {

		enum Action {

			STOP, PAUSE, RESUME, RESTART, DELAY

		}

		int roundTripMillis() {
			return (this.millis != null) ? Math.max(0, Math.min(this.millis, 5_000)) : 0;
		}

	}

}
