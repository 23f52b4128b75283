import { limits, StowageError } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Makes JSON in UTF-8 the only body there is. Fastify's own parser would turn broken UTF-8 into replacement characters,
 * and two different tenant IDs into one.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: limits.requestBodyBytes },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(utf8.decode(body as Buffer)));
      } catch (cause) {
        done(new StowageError("invalid_json", { cause }), undefined);
      }
    },
  );
}
