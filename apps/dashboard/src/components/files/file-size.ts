import { files as texts } from "./files-texts.js";
import { formatBytes } from "../format.js";

interface Sized {
  sizeBytes: number | null;
  declaredSizeBytes: number | null;
}

/** The stored size, or the declared size before the file is stored, or null if neither is known. */
export function bytesOf(file: Sized): number | null {
  return file.sizeBytes ?? file.declaredSizeBytes;
}

export function totalBytes(files: Sized[]): number {
  return files.reduce((sum, file) => sum + (bytesOf(file) ?? 0), 0);
}

export function sizeOf(file: Sized): string {
  const bytes = bytesOf(file);
  return bytes === null ? texts.sizeUnknown : formatBytes(bytes);
}
