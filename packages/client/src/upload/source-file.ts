import type { FileSource } from "../file-source.js";
import { UploadError } from "../upload-error.js";

/** What a stream reads at once. */
const CHUNK_BYTES = 256 * 1024;

/** What a source has answered. Not in its public type, because TypeScript before 5.7 does not know it. */
type ReadBytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Bytes of a source, with the members of a Blob. They are read only when they are asked for. */
class SourceBlob implements Blob {
  readonly source: FileSource;
  readonly start: number;
  readonly size: number;
  readonly type: string;

  constructor(source: FileSource, start = 0, { size, type }: Pick<Blob, "size" | "type"> = source) {
    this.source = source;
    this.start = start;
    this.size = size;
    this.type = type;
  }

  slice(start = 0, end = this.size, type = ""): Blob {
    const from = inside(start, this.size);
    const size = Math.max(0, inside(end, this.size) - from);
    return new SourceBlob(this.source, this.start + from, { size, type });
  }

  /** @throws {UploadError} file_unreadable */
  async read(): Promise<ReadBytes> {
    const { source, start, size } = this;
    if (size === 0) return new Uint8Array();
    try {
      const bytes = await source.slice(start, start + size);
      const found = "byteLength" in bytes ? bytes.byteLength : bytes.size;
      if (found === size) return bytes as ReadBytes;
      throw new RangeError(`${source.name}: ${found} bytes in place of ${size}`);
    } catch (cause) {
      throw new UploadError("file_unreadable", { cause });
    }
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.read();
    if (bytes instanceof Uint8Array) return bytes;
    // A Blob of React Native cannot be read, but a Response of it can.
    return new Uint8Array("byteLength" in bytes ? bytes : await new Response(bytes).arrayBuffer());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).slice().buffer;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let sent = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const piece = this.slice(sent, (sent += CHUNK_BYTES)) as SourceBlob;
        if (piece.size > 0) controller.enqueue(await piece.bytes());
        else controller.close();
      },
    });
  }

  get [Symbol.toStringTag]() {
    return "Blob";
  }
}

/** A position as `Blob.slice` takes it: a negative one counts from the end. */
const inside = (position: number, size: number) =>
  Math.min(size, position < 0 ? Math.max(0, size + position) : position);

class SourceFile extends SourceBlob implements File {
  readonly name = this.source.name;
  readonly lastModified = this.source.lastModified ?? 0;
  readonly webkitRelativePath = "";

  override get [Symbol.toStringTag]() {
    return "File";
  }
}

const files = new WeakMap<FileSource, File>();

/** Returns a file that can be read. A source is always the same file. */
export function toFile(chosen: File | FileSource): File {
  // Not `instanceof`: it is false for a file of another window.
  if (Object.prototype.toString.call(chosen) === "[object File]") return chosen as File;
  const file = files.get(chosen) ?? new SourceFile(chosen);
  files.set(chosen, file);
  return file;
}

/** Whether only this page can read the file: a worker cannot. */
export const isSource = (file: Blob): file is SourceBlob => file instanceof SourceBlob;
