package io.quorlock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A flash sale. With {@code --demo}, it first shows on the terminal what the lock
 * prevents.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SampleApplication {

	/**
	 * Start the service.
	 * @param args {@code --demo}, and any property
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
