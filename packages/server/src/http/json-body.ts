import { limits, StowageError } from "@stowage/schemas";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's JSON. It never holds more than `limits.requestBodyBytes` in memory, even if Content-Length is smaller.
 *
 * @throws {StowageError} `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  // A form of another site can post without a preflight. JSON cannot: browsers send a preflight first.
  if (mediaTypeOf(request) !== "application/json") throw new StowageError("unsupported_media_type");
  if (Number(request.headers.get("Content-Length")) > limits.requestBodyBytes) {
    throw new StowageError("body_too_large");
  }
  const bytes = await readBytes(request.body, limits.requestBodyBytes);
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
      if (sizeBytes > limitBytes) throw new StowageError("body_too_large");
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof StowageError) throw thrown;
    throw new StowageError("invalid_request", { detail: "Request body could not be read", cause: thrown });
  }
  return Buffer.concat(chunks);
}
