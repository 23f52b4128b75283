import { isAbsolute, relative } from "node:path";

/** A path as a person would type it here: relative where it lies below the working directory. */
export function shownPath(path: string): string {
  const here = relative(process.cwd(), path) || ".";
  return here.startsWith("..") || isAbsolute(here) ? path : here;
}
