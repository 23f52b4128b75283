import { StowageError } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";

/**
 * Refuses requests whose Host header is not a host, as RFC 9112 section 3.2 requires. Libraries build URLs from this header and
 * fail if it is invalid. A request without the header is accepted. Call it before the routes are registered.
 */
export function refuseInvalidHosts(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { host } = request.headers;
    done(
      host === undefined || isHost(host)
        ? undefined
        : new StowageError("invalid_request", { detail: "Host header is not valid" }),
    );
  });
}

/** Characters that separate other parts of a URL, such as the password of a user. */
const OTHER_PARTS = /[/?#@\\]/;

function isHost(text: string): boolean {
  return !OTHER_PARTS.test(text) && URL.canParse(`http://${text}`);
}
