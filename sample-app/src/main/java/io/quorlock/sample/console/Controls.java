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

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.nodes.ConditionalOnOwnNodes;
import io.quorlock.sample.nodes.DemoNode;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.shop.StallingStockService;

/**
 * The controls of the page. They exist only if the sample started the nodes itself. Pages
 * of another origin cannot use them: browsers do not send JSON there without a preflight.
 */
@RestController
@ConditionalOnOwnNodes
@RequestMapping(path = "/console", consumes = MediaType.APPLICATION_JSON_VALUE)
@ResponseStatus(HttpStatus.NO_CONTENT)
class Controls {

	private final DemoNodes nodes;

	private final Buyers buyers;

	private final Fleet fleet;

	Controls(DemoNodes nodes, Buyers buyers, Fleet fleet) {
		this.nodes = nodes;
		this.buyers = buyers;
		this.fleet = fleet;
	}

	@PostMapping("/nodes/{index}")
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

	@PostMapping("/buyers")
	void buyers(@RequestBody BuyersCommand command) {
		switch (command.kind()) {
			case NONE -> this.buyers.stop();
			case LOCKED -> this.buyers.start(true);
			case UNGUARDED -> this.buyers.start(false);
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

	private static void stall(Instance instance) {
		try {
			instance.seller(StallingStockService.class).sell(Buyers.SKU, "the one who stalls");
		}
		catch (RuntimeException ex) {
			// Usually refused by the fence: the page shows the visit.
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

	record BuyersCommand(Kind kind) {

		enum Kind {

			NONE, LOCKED, UNGUARDED

		}

	}

}
