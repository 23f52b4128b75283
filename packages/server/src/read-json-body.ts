import { limits, StowageError } from "@stowage/schemas";

/**
 * Reads a request's JSON, holding at most the contract's limit in memory whatever its Content-Length claims.
 *
 * @throws {StowageError} `unsupported_media_type`, `body_too_large`, `invalid_json`
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  // A form of another site can post without asking first; JSON cannot, since browsers preflight it.
  if (mediaType(request) !== "application/json") throw new StowageError("unsupported_media_type");
  if (Number(request.headers.get("Content-Length")) > limits.requestBodyBytes) {
    throw new StowageError("body_too_large");
  }
  const bytes = await readBounded(request);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new StowageError("invalid_json");
  }
}

function mediaType(request: Request): string | undefined {
  return request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
}

async function readBounded(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limits.requestBodyBytes) throw new StowageError("body_too_large");
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (thrown instanceof StowageError) throw thrown;
    throw new StowageError("invalid_request", { detail: "Request body could not be read", cause: thrown });
  }
  return Buffer.concat(chunks);
}
