import type { ScanVerdict } from "@stowage/schemas";

/** A virus scanner as the worker uses it. */
export interface Scanner {
  /** @throws {ScannerDownError} if it does not answer */
  ping(): Promise<void>;
  /**
   * Scans the bytes while they arrive.
   *
   * @param signal ends the scan
   * @throws {ScannerDownError} if it does not accept the connection
   * @throws {ScanFailedError} if it ends the connection without a verdict, or reports an error
   * @throws the error of `bytes`, or the reason of `signal`
   */
  scan(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ScannerVerdict>;
}

export interface ScannerVerdict {
  verdict: ScanVerdict;
  /** What the scanner named, such as a virus; null if it named nothing. */
  signature: string | null;
}

/** The scanner cannot be used at the moment. This says nothing about a file. */
export class ScannerDownError extends Error {
  override readonly name = "ScannerDownError";
}

/** The scan ended without a verdict. The file may be the reason, or the scanner: so this is no verdict, however often it repeats. */
export class ScanFailedError extends Error {
  override readonly name = "ScanFailedError";
}
