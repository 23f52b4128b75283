import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** This file sits one level below the package root in both `src/` and `dist/`, so the same relative paths work in both. */
export const TEMPLATES = fileURLToPath(new URL("../templates/", import.meta.url));

/** The version of this package and of the packages that it installs, because a release gives all of them one version. */
export function ownVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Where the guides are. Their text is also in the README of each package. */
export const DOCS = {
  helper: "https://www.npmjs.com/package/@stowage/server",
  widget: "https://www.npmjs.com/package/@stowage/react",
  element: "https://www.npmjs.com/package/@stowage/element",
};
