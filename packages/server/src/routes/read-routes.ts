import { folder, limits, presetName, type Visibility } from "@stowage/schemas";
import { acceptTokens, parseSize, type Accept, type FileRules, type Size } from "@stowage/schemas/rules";
import type { StandardSchema } from "./standard-schema.js";
import type { BeforeUploadContext, CompleteContext } from "./upload-route.js";

/** A route after validation: sizes in bytes, `accept` as a list, callbacks without the types of their route. */
export interface Route {
  rules: FileRules & { accept?: string[] | undefined };
  /** Bytes. Undefined if the helper's own threshold applies. */
  multipartFrom: number | undefined;
  /** Seconds. Undefined: the files stay. */
  expiresAfter: number | undefined;
  folder: string | undefined;
  cacheControl: string | undefined;
  requireVariant: string | undefined;
  visibility: Visibility | undefined;
  input: StandardSchema | undefined;
  metadata: ((context: BeforeUploadContext) => unknown) | undefined;
  replaces: ((context: BeforeUploadContext) => unknown) | undefined;
  onBeforeUpload: ((context: BeforeUploadContext) => unknown) | undefined;
  onComplete: ((context: CompleteContext) => unknown) | undefined;
}

const ROUTE_NAME = /^[A-Za-z0-9_-]{1,64}$/;
// An extension, a type, a group of types, or everything.
const ACCEPT_TOKEN = /^(?:\.[^\s/,]+|[^\s/,*]+\/(?:[^\s/,*]+|\*)|\*\/\*|\*)$/;
const MEMBERS: ReadonlySet<string> = new Set([
  "accept",
  "maxSize",
  "minSize",
  "maxFiles",
  "multipartFrom",
  "expiresAfter",
  "folder",
  "cacheControl",
  "requireVariant",
  "visibility",
  "input",
  "metadata",
  "replaces",
  "onBeforeUpload",
  "onComplete",
]);

export const isRouteMember = (name: string): boolean => MEMBERS.has(name);

/** @throws {TypeError} one sentence on the first mistake; it starts with the path of the wrong member */
export function readRoutes(given: unknown): Map<string, Route> | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given)) throw new TypeError("routes must be an object of routes by name");
  return new Map(Object.entries(given).map(([name, route]) => [name, readRoute(name, route)]));
}

function readRoute(name: string, given: unknown): Route {
  const path = `routes.${name}`;
  if (!ROUTE_NAME.test(name)) {
    throw new TypeError(`${path}: a route's name has 1 to 64 letters, digits, hyphens and underscores`);
  }
  if (!isObject(given)) throw new TypeError(`${path} must be an object`);
  const unknownMember = Object.keys(given).find((member) => !MEMBERS.has(member));
  if (unknownMember !== undefined) {
    throw new TypeError(
      `${path}.${unknownMember} is not a member of a route: those are ${[...MEMBERS].join(", ")}`,
    );
  }
  const rules = {
    accept: readAccept(`${path}.accept`, given["accept"]),
    maxSize: readSize(`${path}.maxSize`, given["maxSize"]),
    minSize: readSize(`${path}.minSize`, given["minSize"]),
    maxFiles: readCount(`${path}.maxFiles`, given["maxFiles"]),
  };
  if ((rules.minSize ?? 0) > (rules.maxSize ?? Infinity)) {
    throw new TypeError(`${path}.minSize is more than its maxSize: no file could pass`);
  }
  if (given["replaces"] !== undefined && given["requireVariant"] !== undefined) {
    throw new TypeError(
      `${path}: replaces and requireVariant exclude each other: the old file would be deleted before a variant is made of the new one`,
    );
  }
  return {
    rules,
    multipartFrom: readMultipartFrom(`${path}.multipartFrom`, given["multipartFrom"]),
    expiresAfter: readExpiresAfter(`${path}.expiresAfter`, given["expiresAfter"]),
    folder: readFolder(`${path}.folder`, given["folder"]),
    cacheControl: readCacheControl(`${path}.cacheControl`, given["cacheControl"]),
    requireVariant: readPresetName(`${path}.requireVariant`, given["requireVariant"]),
    visibility: readVisibility(`${path}.visibility`, given["visibility"]),
    input: readSchema(`${path}.input`, given["input"]),
    metadata: readFunction(`${path}.metadata`, given["metadata"]),
    replaces: readFunction(`${path}.replaces`, given["replaces"]),
    onBeforeUpload: readFunction(`${path}.onBeforeUpload`, given["onBeforeUpload"]),
    onComplete: readFunction(`${path}.onComplete`, given["onComplete"]),
  };
}

function readAccept(path: string, given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  const isList = Array.isArray(given) && given.every((token) => typeof token === "string");
  if (typeof given !== "string" && !isList) {
    throw new TypeError(`${path} must be a text such as "image/*", or a list of such texts`);
  }
  const tokens = acceptTokens(given as Accept);
  if (tokens.length === 0) throw new TypeError(`${path} is empty: leave it out to accept every file`);
  const invalid = tokens.find((token) => !ACCEPT_TOKEN.test(token));
  if (invalid === undefined) return tokens;
  throw new TypeError(
    `${path}: "${invalid}" is neither a type such as "image/png" or "image/*" nor an extension such as ".png"`,
  );
}

function readSize(path: string, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  try {
    return parseSize(given as Size);
  } catch (thrown) {
    throw new TypeError(`${path}: ${(thrown as Error).message}`, { cause: thrown });
  }
}

/** Below this, the additional calls for parts cost more than a repeated PUT. */
export const DEFAULT_MULTIPART_FROM = 32 * 1024 ** 2;

/**
 * @returns the bytes of the smallest file that is uploaded by parts; Infinity for `false`
 * @throws {TypeError} for a threshold that a single PUT cannot reach
 */
export function readMultipartFrom(path: string, given: unknown): number | undefined {
  if (given === false) return Number.POSITIVE_INFINITY;
  const bytes = readSize(path, given);
  if (bytes === undefined || bytes <= limits.fileSizeBytes) return bytes;
  throw new TypeError(`${path} must be at most 5GiB, the limit of one PUT, or false for no parts`);
}

function readCount(path: string, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "number" && Number.isSafeInteger(given) && given >= 1) return given;
  throw new TypeError(`${path} must be a whole number of at least 1`);
}

function readExpiresAfter(path: string, given: unknown): number | undefined {
  const seconds = readCount(path, given);
  const { minExpiresAfterSeconds: min, maxExpiresAfterSeconds: max } = limits;
  if (seconds === undefined || (seconds >= min && seconds <= max)) return seconds;
  throw new TypeError(`${path} must be from ${min} to ${max} seconds`);
}

function readFolder(path: string, given: unknown): string | undefined {
  const parsed = folder.optional().safeParse(given);
  if (parsed.success) return parsed.data;
  throw new TypeError(`${path}: ${parsed.error.issues[0]?.message}`);
}

/** The service checks the length too. */
function readCacheControl(path: string, given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "string" && /^[!-~](?:[ -~]*[!-~])?$/.test(given)) return given;
  throw new TypeError(`${path} must be a text of visible ASCII characters such as "max-age=3600"`);
}

function readPresetName(path: string, given: unknown): string | undefined {
  if (given === undefined || presetName.safeParse(given).success) return given as string | undefined;
  throw new TypeError(`${path} must be the name of an image preset`);
}

function readVisibility(path: string, given: unknown): Visibility | undefined {
  if (given === undefined || given === "private" || given === "public") return given;
  throw new TypeError(`${path} must be "private" or "public"`);
}

function readSchema(path: string, given: unknown): StandardSchema | undefined {
  if (given === undefined) return undefined;
  // Not only objects: the schemas of some libraries are functions with this member.
  const standard = (given as Partial<StandardSchema> | null)?.["~standard"];
  if (typeof standard?.validate === "function") return given as StandardSchema;
  throw new TypeError(`${path} must be a Standard Schema, such as one of zod 3.24 or valibot 1 and later`);
}

function readFunction<Context>(path: string, given: unknown): ((context: Context) => unknown) | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "function") return given as (context: Context) => unknown;
  throw new TypeError(`${path} must be a function`);
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
