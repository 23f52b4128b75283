import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Systems give the ports above to outgoing connections, so such a port could be taken before its server listens. */
const PORTS = { from: 20_000, before: 30_000 };
const MAX_ATTEMPTS = 100;

/** Returns a TCP port of 127.0.0.1 that is free at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(PORTS.from, PORTS.before);
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      continue;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
