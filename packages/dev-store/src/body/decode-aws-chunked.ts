import { S3Error } from "../errors.js";
import { type ByteReader, byteReader } from "./byte-reader.js";
import type { ChunkVerifier } from "./chunk-signatures.js";

const MAX_LINE_BYTES = 1024;
const MAX_TRAILERS = 8;

/**
 * Decodes an aws-chunked body: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 *
 * It yields a chunk before it verifies the chunk's signature, so the receiver must commit nothing until the end.
 *
 * @param verify verifies signed chunks; undefined for unsigned chunks
 * @param trailers receives the trailers at the end
 *
 * @throws S3Error IncompleteBody, InvalidRequest, SignatureDoesNotMatch
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  verify: ChunkVerifier | undefined,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer, void, undefined> {
  const reader = byteReader(source);
  for (;;) {
    const header = readChunkHeader(await reader.line(MAX_LINE_BYTES), verify !== undefined);
    let left = header.sizeBytes;
    while (left > 0) {
      const data = await reader.some(left);
      left -= data.length;
      verify?.data(data);
      yield data;
    }
    verify?.endOfChunk(header.signature);
    if (header.sizeBytes === 0) break;
    if ((await reader.line(0)) !== "") throw new S3Error("IncompleteBody");
  }
  await readTrailers(reader, trailers);
  verify?.endOfTrailers(trailers);
  if (!(await reader.isAtEnd())) throw new S3Error("InvalidRequest", "There are bytes after the last chunk.");
}

function readChunkHeader(line: string, isSigned: boolean): { sizeBytes: number; signature: string } {
  const shape = /^([0-9a-fA-F]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line);
  if (!shape || (isSigned && shape[2] === undefined))
    throw new S3Error("InvalidRequest", "The header of a chunk is malformed.");
  return { sizeBytes: Number.parseInt(shape[1]!, 16), signature: shape[2] ?? "" };
}

async function readTrailers(reader: ByteReader, trailers: Map<string, string>): Promise<void> {
  for (;;) {
    // Without trailers, the empty line at the end is optional.
    if (await reader.isAtEnd()) return;
    const line = await reader.line(MAX_LINE_BYTES);
    if (line === "") return;
    const shape = /^([a-zA-Z0-9-]+):\s*(\S+)\s*$/.exec(line);
    if (!shape || trailers.size >= MAX_TRAILERS)
      throw new S3Error("InvalidRequest", "A trailer is malformed.");
    trailers.set(shape[1]!.toLowerCase(), shape[2]!);
  }
}
