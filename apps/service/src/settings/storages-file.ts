import { readFileSync } from "node:fs";
import * as z from "zod";

/** The storages that the file of STORAGES_FILE names, the default first. */
export type StoragesFile = { name: string; storage: StorageEntry }[];
export type StorageEntry = z.infer<typeof storageEntry>;

/** The members of a storage, by the settings that they stand for. */
export const memberOfSetting = {
  S3_ENDPOINT: "endpoint",
  S3_REGION: "region",
  S3_BUCKET: "bucket",
  S3_PUBLIC_BUCKET: "public_bucket",
  PUBLIC_BASE_URL: "public_base_url",
  S3_ADDRESSING: "addressing",
  S3_ENCRYPTION: "encryption",
  S3_MAX_PARTS: "max_parts",
  S3_ACCESS_KEY_ID: "access_key_id_env",
  S3_SECRET_ACCESS_KEY: "secret_access_key_env",
} as const satisfies Record<string, keyof StorageEntry>;

/**
 * Writes members in place of the settings in a text, for people who have the file. The settings of keys stay: the members name variables.
 */
export function nameMembers(text: string): string {
  return text.replace(/\b(?:S3|PUBLIC)_[A-Z_]+\b/g, (name) => {
    const member = (memberOfSetting as Record<string, string>)[name];
    return member === undefined || member.endsWith("_env") ? name : member;
  });
}

const text = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") })
  .min(1, {
    error: "must not be empty",
  });
const storageEntry = z.strictObject(
  {
    endpoint: text,
    region: text,
    bucket: text,
    public_bucket: text.optional(),
    public_base_url: text.optional(),
    addressing: text.optional(),
    encryption: text.optional(),
    max_parts: z.int({ error: "must be a whole number" }).transform(String).optional(),
    /** The names of the environment variables that have the keys. */
    access_key_id_env: text.optional(),
    secret_access_key_env: text.optional(),
  },
  { error: ({ code }) => (code === "unrecognized_keys" ? undefined : "must be an object") },
);

/** A name is part of SQL, of labels and of messages. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

/** What is wrong with the file, and where. It has no value of the file, because one may be a key in the wrong place. */
export class StoragesFileError extends Error {
  override readonly name = "StoragesFileError";
}

/** @throws {StoragesFileError} */
export function readStoragesFile(path: string): StoragesFile {
  const json = readText(path);
  const content = parseJson(json);
  const repeated = findRepeatedName(json);
  if (repeated !== null)
    throw new StoragesFileError(`the name ${JSON.stringify(repeated)} is there twice in one object`);
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new StoragesFileError("the file must have one JSON object");
  const { default: defaultName, ...entries } = content as Record<string, unknown>;
  const storages = Object.entries(entries).map(([name, value]) => ({
    name,
    storage: parseEntry(name, value),
  }));
  const main = storages.find(({ name }) => name === defaultName);
  if (!main) throw new StoragesFileError('the member "default" must be the name of a storage of the file');
  return [main, ...storages.filter((one) => one !== main)];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new StoragesFileError(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    // The message can quote the file, so only the place at its end is taken.
    const position = /at position (\d+)(?: \(.*\))?$/.exec((error as Error).message)?.[1];
    const before = content.slice(0, Number(position ?? 0)).split("\n");
    const place = position && ` (line ${before.length}, column ${before.at(-1)!.length + 1})`;
    throw new StoragesFileError(`the file is not valid JSON${place ?? ""}`);
  }
}

/** JSON.parse takes the last member of a name. @returns the first name that an object has twice */
function findRepeatedName(json: string): string | null {
  const tokens = (json.match(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g) ?? []) as string[];
  const objects: Set<string>[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === "{" || token === "[") objects.push(new Set());
    else if (token === "}" || token === "]") objects.pop();
    if (tokens[at + 1] !== ":") continue;
    const name = JSON.parse(token) as string;
    const names = objects.at(-1)!;
    if (names.has(name)) return name;
    names.add(name);
  }
  return null;
}

function parseEntry(name: string, value: unknown): StorageEntry {
  if (!NAME.test(name))
    throw new StoragesFileError(
      "a storage must have a name of 1 to 63 letters, digits, - and _, which begins with a letter or a digit",
    );
  const result = storageEntry.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    if (issue.code === "unrecognized_keys")
      throw new StoragesFileError(`${name} has an unknown member, ${JSON.stringify(issue.keys[0])}`);
    throw new StoragesFileError(`${[name, ...issue.path].join(".")} ${issue.message}`);
  }
  const { access_key_id_env: id, secret_access_key_env: secret } = result.data;
  if ((id === undefined) !== (secret === undefined))
    throw new StoragesFileError(`${name} must have access_key_id_env and secret_access_key_env, or neither`);
  return result.data;
}
