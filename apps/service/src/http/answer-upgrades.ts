import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { rawAnswer } from "./client-error.js";

/** What Node hands over outside of every route gets an answer of the same shape as everything else. */
export function answerUpgrades(server: Server): void {
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => undefined).end(rawAnswer(404, "Not found"));
  });
  server.on("checkExpectation", ({ socket }: IncomingMessage, _response: ServerResponse) => {
    socket.end(rawAnswer(417, "Only Expect: 100-continue is understood"));
  });
}
