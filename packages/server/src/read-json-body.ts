import { limits, StowageError } from "@stowage/schemas";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's body whole.
 *
 * @throws {StowageError} `body_too_large` as soon as there is more of it
 */
export type ReadBody = (limitBytes: number) => Promise<Uint8Array>;

/**
 * Reads a request's JSON, holding at most the contract's limit in memory whatever its Content-Length claims.
 *
 * @throws {StowageError} `unsupported_media_type`, `body_too_large`, `invalid_json`
 */
export async function readJsonBody(
  request: Request,
  readBody: ReadBody = (limitBytes) => readStream(request.body, limitBytes),
): Promise<unknown> {
  // A form of another site can post without asking first; JSON cannot, since browsers preflight it.
  if (mediaType(request) !== "application/json") throw new StowageError("unsupported_media_type");
  if (Number(request.headers.get("Content-Length")) > limits.requestBodyBytes) {
    throw new StowageError("body_too_large");
  }
  const bytes = await readWhole(readBody);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new StowageError("invalid_json");
  }
}

function mediaType(request: Request): string | undefined {
  return request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
}

async function readWhole(readBody: ReadBody): Promise<Uint8Array> {
  try {
    return await readBody(limits.requestBodyBytes);
  } catch (thrown) {
    if (thrown instanceof StowageError) throw thrown;
    throw new StowageError("invalid_request", { detail: "Request body could not be read", cause: thrown });
  }
}

/** A {@link ReadBody} of a Web stream. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limitBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > limitBytes) throw new StowageError("body_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
