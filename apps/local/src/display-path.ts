import { isAbsolute, relative } from "node:path";

/** Shortens a path for messages: relative to the working directory if it is inside that directory, otherwise unchanged. */
export function displayPath(path: string): string {
  const relativePath = relative(process.cwd(), path) || ".";
  return relativePath.startsWith("..") || isAbsolute(relativePath) ? path : relativePath;
}
