/**
 * A file that is no `File` of a browser, such as one of a phone's app. It is read in pieces: one for each part of a large file, and samples for
 * its fingerprint.
 */
export interface FileSource {
  readonly name: string;
  /** Media type; empty if it is unknown. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly lastModified?: number;
  /**
   * Reads the bytes from `start` to before `end`; `start` is less than `end`, and `end` at most `size`. The engine asks for the same bytes
   * again when it tries again. Each answer must have all bytes: else, or if this throws, the file fails as `file_unreadable`.
   */
  slice(start: number, end: number): SourceBytes | Promise<SourceBytes>;
}

/** What a source answers. A `Blob` may be one that only `XMLHttpRequest` can read, as in React Native. */
export type SourceBytes = Blob | ArrayBuffer | Uint8Array;

/**
 * The source that was added as this file, for a transport that sends files in its own way.
 *
 * @example
 * const { uri } = sourceOf(file) as PhoneFile; // in `UploadTransport.put`
 */
export function sourceOf(file: Blob): FileSource | undefined {
  return (file as { source?: FileSource }).source;
}

/**
 * Returns the files of an `add`.
 *
 * @throws {TypeError} for what is no file, such as the `{ uri }` of a phone's picker
 */
export function filesOf(chosen: Iterable<File | FileSource>): File[] {
  const files = [...(Symbol.iterator in chosen ? chosen : [chosen])] as File[];
  if (files.every((file) => typeof file?.type === "string" && file.slice)) return files;
  throw new TypeError("Add files, or sources with name, type, size and slice()");
}
