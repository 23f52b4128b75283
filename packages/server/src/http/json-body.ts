import { limits, StowageError } from "@stowage/schemas";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's JSON. It never holds more than `limitBytes` in memory, even if Content-Length is smaller.
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
  if (Number(request.headers.get("Content-Length")) > limitBytes) throw bodyTooLarge(limitBytes);
  const bytes = await readBytes(request.body, limitBytes);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new StowageError("invalid_json");
  }
}

function mediaTypeOf(request: Request): string | undefined {
  return request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
}

async function readBytes(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of body ?? []) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw bodyTooLarge(limitBytes);
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof StowageError) throw thrown;
    throw new StowageError("invalid_request", { detail: "Request body could not be read", cause: thrown });
  }
  return Buffer.concat(chunks);
}

function bodyTooLarge(limitBytes: number): StowageError {
  return new StowageError("body_too_large", {
    detail: `Request body must be at most ${limitBytes} bytes`,
  });
}
