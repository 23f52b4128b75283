import { limits, StowageError } from "@stowage/schemas";
import { readBody } from "./read-body.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's JSON.
 *
 * @param limitBytes @default limits.requestBodyBytes
 * @throws {StowageError} `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`
 */
export async function readJsonBody(
  request: Request,
  limitBytes: number = limits.requestBodyBytes,
): Promise<unknown> {
  // A form of another site can post without a preflight. JSON cannot: browsers send a preflight first.
  if (mediaTypeOf(request) !== "application/json") throw new StowageError("unsupported_media_type");
  const bytes = await readBody(request, limitBytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new StowageError("invalid_json");
  }
}

function mediaTypeOf(request: Request): string | undefined {
  return request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
}
