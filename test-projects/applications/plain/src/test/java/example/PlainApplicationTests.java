package example;

import java.io.IOException;
import java.nio.file.Files;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes down what the application consists of without the starter.
 */
class PlainApplicationTests {

	@Test
	void takeInventory() throws IOException {
		Inventory inventory = Inventory.take();
		assertThat(inventory.pooled()).isFalse();
		Files.write(Inventory.OF_PLAIN, inventory.lines());
	}

}
