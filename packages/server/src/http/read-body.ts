import { StowageError } from "@stowage/schemas";

/**
 * Reads a request's body. It never holds more than `limitBytes` in memory, even if Content-Length is smaller.
 *
 * @throws {StowageError} `body_too_large`, `invalid_request`
 */
export async function readBody(request: Request, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers.get("Content-Length")) > limitBytes) throw bodyTooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
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
