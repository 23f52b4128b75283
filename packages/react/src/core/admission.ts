import type { BrowserRoute } from "@stowage/schemas";
import { brokenRule, parseSize, type RuledFile } from "@stowage/schemas/rules";
import type { UploadErrorCode } from "./upload-error.js";
import type { FileSubject } from "./upload-item.js";
import type { UploadLimits, UploadSettings } from "./upload-settings.js";

/** The limits in force, in bytes. The page's own are shown in place of the route's; the server binds to its own. */
export function limitsOf(settings: UploadSettings, route: BrowserRoute = {}): UploadLimits {
  const { accept, maxSize, minSize, maxFiles, maxTotalSize } = settings;
  const bytes = (size: typeof maxSize) => size && parseSize(size);
  return {
    accept: accept ?? route.accept,
    maxSize: bytes(maxSize ?? route.max_size),
    minSize: bytes(minSize ?? route.min_size),
    maxFiles: maxFiles ?? route.max_files,
    maxTotalSize: bytes(maxTotalSize),
  };
}

/** What the session has taken already. */
export interface Taken {
  files: number;
  bytes: number;
}

/** Why a file cannot be taken, or null. */
export function refusalOf(file: RuledFile, limits: UploadLimits, taken: Taken): UploadErrorCode | null {
  const { maxTotalSize = Number.POSITIVE_INFINITY } = limits;
  return (
    brokenRule(file, limits, taken.files) ??
    (taken.bytes + file.size > maxTotalSize ? "total_size_exceeded" : null)
  );
}

/** The same for two items that are the same file, as far as can be seen without reading them. */
export function identityOf({ file, path }: FileSubject): string {
  return JSON.stringify([file.name, path, file.size, file.type, file.lastModified]);
}
