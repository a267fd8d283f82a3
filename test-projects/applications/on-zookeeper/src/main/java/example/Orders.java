package example;

import org.springframework.stereotype.Service;

import io.quorlock.LockContext;
import io.quorlock.LockMode;
import io.quorlock.annotation.DistributedLock;

@Service
public class Orders {

	@DistributedLock(name = "catalog", mode = LockMode.SHARED)
	public LockMode search() {
		return LockContext.current().orElseThrow().mode();
	}

	@DistributedLock(name = "exports", permits = 3)
	public int export() {
		return LockContext.current().orElseThrow().permit();
	}

	@DistributedLock(name = "order", key = "#orderId")
	public long ship(long orderId) {
		return LockContext.fencingToken();
	}

}
