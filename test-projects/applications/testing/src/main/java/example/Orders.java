package example;

import org.springframework.stereotype.Service;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;

@Service
public class Orders {

	@DistributedLock(name = "order", key = "#orderId")
	public long ship(long orderId) {
		return LockContext.fencingToken();
	}

}
