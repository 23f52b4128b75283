import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { displayPath } from "./display-path.js";
import { LocalError } from "./settings.js";

/**
 * Reads a JSON file of the data folder, or creates it from `create` if it does not exist. Only the owner may read the file.
 *
 * @throws {LocalError} if the file is damaged. It is not overwritten, because its owner may still need its content.
 */
export async function readOrCreateJson<T>(
  file: string,
  isValid: (value: unknown) => value is T,
  create: () => T,
): Promise<T> {
  const text = await readIfExists(file);
  if (text === undefined) {
    const created = create();
    await writePrivateJson(file, created);
    return created;
  }
  const value = parseJson(text);
  if (isValid(value)) return value;
  throw new LocalError(
    `The file ${displayPath(file)} is damaged. Delete it, and the next start creates a new one.`,
  );
}

/**
 * @returns undefined if the file does not exist
 * @throws {LocalError} if the file exists and cannot be read
 */
export async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new LocalError(
      `The file ${displayPath(file)} cannot be read (${code}). Move it away, and the next start creates a new one.`,
    );
  }
}

/** @returns undefined if the text is not valid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the value is an object in which each named property is a non-empty string. */
export function hasStrings<K extends string>(value: unknown, ...names: K[]): value is Record<K, string> {
  if (typeof value !== "object" || value === null) return false;
  const properties = value as Record<string, unknown>;
  return names.every((name) => typeof properties[name] === "string" && properties[name] !== "");
}

/** Writes atomically: a crash leaves the old file, and a failure leaves no temporary file with secrets in it. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
