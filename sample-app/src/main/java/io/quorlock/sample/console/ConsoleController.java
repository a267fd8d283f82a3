package io.quorlock.sample.console;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
class ConsoleController {

	private final ConsoleStream stream;

	ConsoleController(ConsoleStream stream) {
		this.stream = stream;
	}

	@GetMapping(path = "/console/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter events() {
		return this.stream.open();
	}

}
