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
    async (_request: unknown, body: string | Buffer) => decodeJson(body as Buffer),
  );
}

/** @throws {StowageError} `invalid_json` */
export function decodeJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new StowageError("invalid_json", { cause });
  }
}
