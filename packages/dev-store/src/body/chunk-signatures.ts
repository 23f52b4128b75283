import { createHash } from "node:crypto";
import { S3Error } from "../errors.js";
import { type Authentication, isSignature } from "../sigv4/authenticate.js";
import { hmac, scopeText } from "../sigv4/signing-key.js";

/** Verifies the chain of signatures in a signed aws-chunked body. */
export interface ChunkVerifier {
  data(chunk: Buffer): void;
  endOfChunk(signature: string): void;
  endOfTrailers(trailers: Map<string, string>): void;
}

const EMPTY_SHA256 = createHash("sha256").digest("hex");

/**
 * Each chunk signs the previous signature; the first chunk signs the signature of the request:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 */
export function chunkVerifier({ claim, key }: Authentication, hasSignedTrailer: boolean): ChunkVerifier {
  let previous = claim.signature;
  let hash = createHash("sha256");
  const check = (algorithm: string, signature: string, ...hashes: string[]): void => {
    const text = [algorithm, claim.amzDate, scopeText(claim.scope), previous, ...hashes].join("\n");
    if (!isSignature(signature, hmac(key, text))) throw new S3Error("SignatureDoesNotMatch");
    previous = signature;
  };
  return {
    data: (chunk) => void hash.update(chunk),
    endOfChunk(signature) {
      check("AWS4-HMAC-SHA256-PAYLOAD", signature, EMPTY_SHA256, hash.digest("hex"));
      hash = createHash("sha256");
    },
    endOfTrailers(trailers) {
      if (!hasSignedTrailer) return;
      const signature = trailers.get("x-amz-trailer-signature") ?? "";
      trailers.delete("x-amz-trailer-signature");
      const text = [...trailers].map(([name, value]) => `${name}:${value}\n`).join("");
      check("AWS4-HMAC-SHA256-TRAILER", signature, createHash("sha256").update(text).digest("hex"));
    },
  };
}
