import { createHash } from "node:crypto";
import { S3Error } from "../errors.js";
import type { Authentication } from "../sigv4/authenticate.js";
import type { BodyClaims } from "./body-claims.js";
import { type Checksum, parseChecksum, type RunningChecksum, startChecksum } from "./checksums.js";
import { chunkVerifier } from "./chunk-signatures.js";
import { decodeAwsChunked } from "./decode-aws-chunked.js";

/** Where a body goes. */
export interface BodySink {
  /** Takes the next bytes. They may be reused after it returns, or after its promise is kept. */
  write(chunk: Buffer): Promise<void> | void;
  /** After the last of them. @returns the MD5 of all */
  end(): Promise<Buffer> | Buffer;
}

/** A body that has kept every promise its request made. */
export interface ReceivedBody {
  readonly sizeBytes: number;
  /** Hex. */
  readonly md5: string;
  readonly checksum: Checksum | undefined;
}

/**
 * Passes a body to `sink` as it arrives and holds it to its claims at the end; the sink's owner commits nothing
 * before this returns.
 *
 * @throws S3Error BadDigest, IncompleteBody, XAmzContentSHA256Mismatch and those of aws-chunked
 */
export async function receiveBody(
  wire: { source: AsyncIterable<Buffer>; authentication: Authentication },
  claims: BodyClaims,
  sink: BodySink,
): Promise<ReceivedBody> {
  const trailers = new Map<string, string>();
  const sha256 = claims.sha256 === undefined ? undefined : createHash("sha256");
  const algorithm = claims.checksum?.algorithm ?? claims.trailer;
  const running = algorithm && startChecksum(algorithm);
  let sizeBytes = 0;
  for await (const chunk of unframed(wire, claims, trailers)) {
    sizeBytes += chunk.length;
    if (sizeBytes > claims.sizeBytes) throw new S3Error("IncompleteBody");
    sha256?.update(chunk);
    running?.update(chunk);
    await sink.write(chunk);
  }
  if (sizeBytes !== claims.sizeBytes) throw new S3Error("IncompleteBody");
  if (sha256 && sha256.digest("hex") !== claims.sha256) throw new S3Error("XAmzContentSHA256Mismatch");
  const digest = await sink.end();
  if (claims.md5 && !claims.md5.equals(digest)) throw new S3Error("BadDigest");
  return { sizeBytes, md5: digest.toString("hex"), checksum: verifyChecksum(claims, running, trailers) };
}

function unframed(
  { source, authentication }: { source: AsyncIterable<Buffer>; authentication: Authentication },
  { framing }: BodyClaims,
  trailers: Map<string, string>,
): AsyncIterable<Buffer> {
  if (framing === "plain") return source;
  const verify =
    framing === "chunks" ? undefined : chunkVerifier(authentication, framing === "signed-chunks-and-trailer");
  return decodeAwsChunked(source, verify, trailers);
}

function verifyChecksum(
  claims: BodyClaims,
  running: RunningChecksum | undefined,
  trailers: ReadonlyMap<string, string>,
): Checksum | undefined {
  if (!running) return undefined;
  const promised = claims.checksum ?? trailingChecksum(claims, trailers);
  if (running.digest() !== promised.value) throw new S3Error("BadDigest");
  return promised;
}

function trailingChecksum({ trailer }: BodyClaims, trailers: ReadonlyMap<string, string>): Checksum {
  const value = trailer && trailers.get(`x-amz-checksum-${trailer}`);
  if (!trailer || value === undefined)
    throw new S3Error("InvalidRequest", "The announced trailer did not come.");
  return parseChecksum(trailer, value);
}
