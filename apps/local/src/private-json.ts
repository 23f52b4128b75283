import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { LocalError } from "./settings.js";
import { shownPath } from "./shown-path.js";

/**
 * A JSON file of the data folder, made by `make` when it is not there. Only its owner may read it.
 *
 * @throws {LocalError} when it is there and damaged: what it held may still be wanted, so nothing is written over it
 */
export async function rememberedJson<T>(
  file: string,
  isValid: (value: unknown) => value is T,
  make: () => T,
): Promise<T> {
  const text = await readIfThere(file);
  if (text === undefined) {
    const made = make();
    await writePrivateJson(file, made);
    return made;
  }
  const value = parseJson(text);
  if (isValid(value)) return value;
  throw new LocalError(
    `The file ${shownPath(file)} is damaged: delete it, and the next start makes a new one.`,
  );
}

/** @throws {LocalError} when something is there that cannot be read */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new LocalError(
      `The file ${shownPath(file)} cannot be read (${code}): move it away, and the next start makes a new one.`,
    );
  }
}

/** @returns undefined, which no JSON stands for, when it is none */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object whose named members are strings of at least one character. */
export function hasStrings<K extends string>(value: unknown, ...names: K[]): value is Record<K, string> {
  if (typeof value !== "object" || value === null) return false;
  const members = value as Record<string, unknown>;
  return names.every((name) => typeof members[name] === "string" && members[name] !== "");
}

/** Whole or not at all: a crash leaves the old file, and a failure no draft with secrets in it. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
