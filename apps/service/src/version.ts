import { readFileSync } from "node:fs";
import { manifestPath } from "./paths.js";

/** The version of the service. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(manifestPath, "utf8")) as { version: string }).version;
}
