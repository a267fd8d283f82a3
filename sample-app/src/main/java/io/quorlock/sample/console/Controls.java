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

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.quorlock.LockTemplate;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.nodes.ConditionalOnOwnServers;
import io.quorlock.sample.shop.StallingStockService;

/**
 * The controls of the page. They exist only if the sample started the servers itself.
 * Pages of another origin cannot use them: browsers do not send JSON there without a
 * preflight.
 */
@RestController
@ConditionalOnOwnServers
@RequestMapping(path = "/console", consumes = MediaType.APPLICATION_JSON_VALUE)
@ResponseStatus(HttpStatus.NO_CONTENT)
class Controls {

	private final Buyers buyers;

	private final Scenes scenes;

	private final Fleet fleet;

	private final LockTemplate template;

	Controls(Buyers buyers, Scenes scenes, Fleet fleet, LockTemplate template) {
		this.buyers = buyers;
		this.scenes = scenes;
		this.fleet = fleet;
		this.template = template;
	}

	/** So that the time line has something to show to whoever comes after the demo. */
	@EventListener(classes = ApplicationReadyEvent.class,
			condition = "@environment.getProperty('demo', 'false') != 'false'")
	void buy() {
		this.buyers.start(true);
	}

	@PostMapping("/buyers")
	void buyers(@RequestBody BuyersCommand command) {
		switch (command.kind()) {
			case NONE -> this.buyers.stop();
			case LOCKED -> this.buyers.start(true);
			case UNGUARDED -> this.buyers.start(false);
		}
	}

	/** A kind of lock is shown until it is stopped. */
	@PostMapping("/scenes")
	void scenes(@RequestBody SceneCommand command) {
		if (command.running()) {
			this.scenes.start(command.scene());
		}
		else {
			this.scenes.stop(command.scene());
		}
	}

	/** One holder stalls past its lease; the buyers of the other instance continue. */
	@PostMapping("/stall")
	void stall() {
		Instance instance = this.fleet.instances().get(0);
		Thread thread = new Thread(() -> stall(instance), "staller");
		thread.setDaemon(true);
		thread.start();
	}

	/** The leader of a role is asked to release its lock, and resigns. */
	@PostMapping("/leaders/{role}/let-go")
	void letGo(@PathVariable String role) {
		try {
			if (!this.template.requestRelease("leader:" + role, Duration.ofSeconds(5))) {
				throw new ResponseStatusException(HttpStatus.CONFLICT,
						"no leader of '" + role + "' received the request");
			}
		}
		catch (UnsupportedOperationException ex) {
			throw new ResponseStatusException(HttpStatus.NOT_IMPLEMENTED, ex.getMessage());
		}
	}

	private static void stall(Instance instance) {
		try {
			instance.seller(StallingStockService.class).sell(Buyers.SKU, "the one who stalls");
		}
		catch (RuntimeException ex) {
			// Usually refused by the fence: the page shows the visit.
		}
	}

	record SceneCommand(Scenes.Scene scene, boolean running) {

	}

	record BuyersCommand(Kind kind) {

		enum Kind {

			NONE, LOCKED, UNGUARDED

		}

	}

}
