import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, parseAllDocuments } from "yaml";

/** Reads a file of the repository. @param path relative to its root */
export function readText(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8");
}

/** Reads a YAML file with one document. Merge keys (`<<`) are resolved, as Compose does. */
export function readYaml<Content>(path: string): Content {
  return parse(readText(path), { merge: true }) as Content;
}

/** Reads all documents of a YAML file. */
export function readYamlDocuments<Content>(path: string): Content[] {
  return parseAllDocuments(readText(path)).map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS() as Content;
  });
}
