package io.quorlock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A flash sale. With {@code --demo} it shows on the terminal what the lock is good for,
 * then goes on serving.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class SampleApplication {

	/**
	 * Starts the service.
	 * @param args {@code --demo}, and any property
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
