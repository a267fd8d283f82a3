package example;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with Spring Data Redis and nothing else.
 */
@SpringBootApplication
public class PlainApplication {

}
