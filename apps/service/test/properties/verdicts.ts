import { createHash } from "node:crypto";
import type { ScanVerdict } from "@stowage/schemas";
import { sizeOfPart } from "@stowage/schemas/rules";
import { aClamdServer } from "../fixtures/a-clamd-protocol.js";
import type { Requested } from "./model.js";

/** A file consists of one of these bytes, and clamd's verdict is about that byte. */
const VERDICTS = { x: "clean", y: "infected", z: "unscannable" } as const satisfies Record<
  string,
  ScanVerdict
>;
const ANSWERS = {
  clean: "stream: OK\0",
  infected: "stream: Test-Virus FOUND\0",
  unscannable: "stream: Heuristics.Encrypted.Zip FOUND\0",
};

type Byte = keyof typeof VERDICTS;

/** The bytes of the first, second and third PUT to a URL. */
export const PUT_BYTES: Byte[] = ["x", "y", "z"];

/** All parts of a file consist of this byte. */
export function byteOfParts(sizeBytes: number): Byte {
  return PUT_BYTES[sizeBytes % PUT_BYTES.length]!;
}

/** Servers that speak clamd's protocol. The second one ends the connection before its verdict. */
export async function aScanner() {
  const answering = await aClamdServer(({ command, chunks, isComplete }) => {
    if (command === "zPING") return "PONG\0";
    return isComplete ? ANSWERS[VERDICTS[byteOf(chunks)]] : undefined;
  });
  const hangingUp = await aClamdServer(({ command, isComplete }, socket) => {
    if (command === "zPING") return "PONG\0";
    if (isComplete) socket.destroy();
    return undefined;
  });
  return {
    urls: { answers: answering.url, "hangs up": hangingUp.url },
    close() {
      answering.close();
      hangingUp.close();
    },
  };
}

/** An empty file is clean. */
function byteOf(chunks: Buffer[]): Byte {
  return chunks[0] ? (String.fromCharCode(chunks[0][0]!) as Byte) : "x";
}

/** Storage's ETags of the bytes that a file of this size may have. */
export function etagsOf({ parts }: Requested, sizeBytes: number): string[] {
  return parts
    ? [etagOfParts(byteOfParts(sizeBytes), parts.sizes)]
    : PUT_BYTES.map((byte) => md5(byte.repeat(sizeBytes)).toString("hex"));
}

/** What clamd says about bytes with this ETag. */
export function verdictOfClamd(
  requested: Requested,
  { etag, sizeBytes }: { etag: string; sizeBytes: number },
): ScanVerdict {
  if (sizeBytes === 0) return "clean";
  if (requested.parts) return VERDICTS[byteOfParts(sizeBytes)];
  return VERDICTS[PUT_BYTES[etagsOf(requested, sizeBytes).indexOf(etag)]!];
}

/** S3 hashes the MD5s of the parts. */
function etagOfParts(byte: Byte, sizes: Parameters<typeof sizeOfPart>[1] & { partCount: number }): string {
  const numbers = Array.from({ length: sizes.partCount }, (_, index) => index + 1);
  const hashes = numbers.map((number) => md5(Buffer.alloc(sizeOfPart(number, sizes), byte)));
  return `${md5(Buffer.concat(hashes)).toString("hex")}-${sizes.partCount}`;
}

function md5(bytes: string | Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}
