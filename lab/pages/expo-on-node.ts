import { createReadStream, existsSync, readSync, openSync, closeSync, rmSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { basename, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TYPES: Readonly<Record<string, string>> = { ".txt": "text/plain", ".mp4": "video/mp4" };

interface TaskOptions {
  httpMethod: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  onProgress(progress: { bytesSent: number; totalBytes: number }): void;
}

/**
 * The part of `expo-file-system` 58 that the guide uses, on Node. Its native half sends files from the disk with their length.
 *
 * @param cache the folder `Paths.cache`
 * @returns also the paths that were sent
 */
export function expoOnNode(cache: string) {
  const uploads: string[] = [];

  class File {
    readonly path: string;

    constructor(...parts: string[]) {
      const path = join(...parts.map((part) => (part.startsWith("file:") ? fileURLToPath(part) : part)));
      this.path = path;
    }

    get uri() {
      return pathToFileURL(this.path).href;
    }

    get name() {
      return basename(this.path);
    }

    get type() {
      return TYPES[extname(this.path)] ?? "";
    }

    get size() {
      return this.exists ? statSync(this.path).size : 0;
    }

    get exists() {
      return existsSync(this.path);
    }

    write(content: Uint8Array): Promise<void> {
      return writeFile(this.path, content);
    }

    delete() {
      rmSync(this.path);
    }

    open(mode: string) {
      const descriptor = openSync(this.path, mode);
      return {
        offset: 0,
        async readBytes(length: number) {
          const bytes = new Uint8Array(length);
          const read = readSync(descriptor, bytes, 0, length, this.offset);
          this.offset += read;
          return bytes.subarray(0, read);
        },
        close: () => closeSync(descriptor),
      };
    }

    createUploadTask(url: string, { httpMethod: method, headers, signal, onProgress }: TaskOptions) {
      const { path, size: totalBytes } = this;
      uploads.push(path);
      const uploadAsync = () =>
        new Promise<{ status: number; body: string; headers: object }>((resolve, reject) => {
          const length = { "Content-Length": String(totalBytes) };
          const outgoing = request(url, { method, headers: { ...headers, ...length }, signal });
          outgoing.on("error", reject).on("response", (response) => {
            let body = "";
            response.setEncoding("utf8").on("data", (text: string) => (body += text));
            response.on("end", () =>
              resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
            );
          });
          let bytesSent = 0;
          createReadStream(path)
            .on("data", (chunk) => onProgress({ bytesSent: (bytesSent += chunk.length), totalBytes }))
            .on("error", reject)
            .pipe(outgoing);
        });
      return { uploadAsync };
    }
  }

  return { uploads, expoFileSystem: { File, Paths: { cache }, FileMode: { ReadOnly: "r" } } };
}
