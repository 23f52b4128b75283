import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port.js";

test("a server can listen on the port, and no outgoing connection takes it before", async () => {
  for (let count = 0; count < 20; count++) {
    const port = await freePort();
    // Linux gives the ports from 32,768 on to outgoing connections. Other systems start later.
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    server.close();
    await once(server, "close");
  }
});
