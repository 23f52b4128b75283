import { limits, StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { decodeJson } from "#lib/decode-json.js";

/**
 * Accepts only JSON in UTF-8 as a request body. Fastify's own parser would replace invalid UTF-8 with U+FFFD, so that two
 * different tenant IDs could become the same one.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: limits.requestBodyBytes },
    async (request: FastifyRequest, body: string | Buffer) => {
      requireUncompressedUtf8(request);
      return decodeJson(body as Buffer);
    },
  );
}

/** @throws {StowageError} `unsupported_media_type` for another charset or a compressed body */
function requireUncompressedUtf8({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"] ?? "identity";
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  if (encoding.toLowerCase() !== "identity" || !/^utf-?8$/i.test(charset)) {
    throw new StowageError("unsupported_media_type", {
      detail: "Content-Type must be application/json in UTF-8, not compressed",
    });
  }
}
