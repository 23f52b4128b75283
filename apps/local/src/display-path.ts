import { isAbsolute, relative } from "node:path";

/** Shortens a path for messages: relative to the working directory if it lies inside it, otherwise unchanged. */
export function displayPath(path: string): string {
  const relativePath = relative(process.cwd(), path) || ".";
  return relativePath.startsWith("..") || isAbsolute(relativePath) ? path : relativePath;
}
