import { limits, StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";

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
    async (request: FastifyRequest, body: string | Buffer) => {
      assertPlainUtf8(request);
      return decodeJson(body as Buffer);
    },
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

/** Taking a body for what it says it is not would be a guess. */
function assertPlainUtf8({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"] ?? "identity";
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  if (encoding.toLowerCase() !== "identity" || !/^utf-?8$/i.test(charset)) {
    throw new StowageError("unsupported_media_type", {
      detail: "Content-Type must be application/json in UTF-8, not compressed",
    });
  }
}
