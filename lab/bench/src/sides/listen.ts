import type { AddressInfo, Server } from "node:net";
import type { Listening } from "../processes/start-service.js";

/**
 * Starts the server on a free port and sends the port to the parent process, as a {@link Listening} message. This process exits
 * when the parent exits or sends SIGTERM.
 */
export function listen(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send!({ port } satisfies Listening);
  });
  process.on("disconnect", () => process.exit());
  process.on("SIGTERM", () => process.exit());
}
