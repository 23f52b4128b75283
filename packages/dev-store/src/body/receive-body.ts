import { createHash } from "node:crypto";
import { S3Error } from "../errors.js";
import type { Authentication } from "../sigv4/authenticate.js";
import type { BodyClaims } from "./body-claims.js";
import { type Checksum, parseChecksum, type RunningChecksum, startChecksum } from "./checksums.js";
import { chunkVerifier } from "./chunk-signatures.js";
import { decodeAwsChunked } from "./decode-aws-chunked.js";

/** The destination of a body. */
export interface BodySink {
  /** Takes the next bytes. The caller may reuse them after the call, or after its promise has resolved. */
  write(chunk: Buffer): Promise<void> | void;
  /** Called after the last bytes. @returns the MD5 of all bytes */
  end(): Promise<Buffer> | Buffer;
}

/** A received body that matches everything that its request declared. */
export interface ReceivedBody {
  readonly sizeBytes: number;
  /** Hex. */
  readonly md5: string;
  readonly checksum: Checksum | undefined;
}

/**
 * Streams a body to `sink` and checks it against its claims. The owner of the sink must commit nothing before this returns.
 *
 * @throws S3Error BadDigest, IncompleteBody, XAmzContentSHA256Mismatch, and the errors of `decodeAwsChunked`
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
  for await (const chunk of decodeFraming(wire, claims, trailers)) {
    sizeBytes += chunk.length;
    if (sizeBytes > claims.sizeBytes) throw incomplete(claims, `at least ${sizeBytes}`);
    sha256?.update(chunk);
    running?.update(chunk);
    await sink.write(chunk);
  }
  if (sizeBytes !== claims.sizeBytes) throw incomplete(claims, String(sizeBytes));
  if (sha256 && sha256.digest("hex") !== claims.sha256) throw new S3Error("XAmzContentSHA256Mismatch");
  const digest = await sink.end();
  if (claims.md5 && !claims.md5.equals(digest)) throw badDigest("Content-MD5", sizeBytes);
  return { sizeBytes, md5: digest.toString("hex"), checksum: verifyChecksum(claims, running, trailers) };
}

function incomplete({ sizeBytes }: BodyClaims, arrived: string): S3Error {
  const { code, message } = new S3Error("IncompleteBody");
  return new S3Error(code, `${message} They say ${sizeBytes} bytes, and ${arrived} arrived.`);
}

function badDigest(header: string, sizeBytes: number): S3Error {
  const { code, message } = new S3Error("BadDigest");
  return new S3Error(code, `${message} ${header} is not that of the ${sizeBytes} bytes that arrived.`);
}

function decodeFraming(
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
  const announced = claims.trailer && `x-amz-checksum-${claims.trailer}`;
  const unannounced = [...trailers.keys()].find((name) => name !== announced);
  if (unannounced) throw new S3Error("InvalidRequest", `x-amz-trailer does not announce ${unannounced}.`);
  if (!running) return undefined;
  const expected = claims.checksum ?? trailingChecksum(claims, trailers);
  if (running.digest() !== expected.value)
    throw badDigest(`x-amz-checksum-${expected.algorithm}`, claims.sizeBytes);
  return expected;
}

function trailingChecksum({ trailer }: BodyClaims, trailers: ReadonlyMap<string, string>): Checksum {
  const value = trailer && trailers.get(`x-amz-checksum-${trailer}`);
  if (!trailer || value === undefined)
    throw new S3Error("InvalidRequest", "The trailer that x-amz-trailer announced is missing.");
  return parseChecksum(trailer, value);
}
