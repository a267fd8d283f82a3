// Increments a number in a file under a lock of npm's "redlock", a client that nobody here wrote.
// Arguments: file, increments, node addresses as host:port.
const fs = require('fs');
const Redis = require('ioredis');
const Redlock = require('redlock');

const [file, increments, ...addresses] = process.argv.slice(2);
const clients = addresses.map((address) => {
	const [host, port] = address.split(':');
	return new Redis(Number(port), host);
});
const redlock = new Redlock(clients, { retryCount: 20000, retryDelay: 5, retryJitter: 10 });

async function main() {
	for (let i = 0; i < Number(increments); i++) {
		const lock = await redlock.lock('lock:{counter}', 30000);
		const value = Number(fs.readFileSync(file, 'utf8'));
		await new Promise((resolve) => setImmediate(resolve));
		fs.writeFileSync(file, String(value + 1));
		await lock.unlock();
	}
	console.log('DONE');
	process.exit(0);
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
