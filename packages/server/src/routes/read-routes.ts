import { acceptTokens, parseSize, type Accept, type FileRules, type Size } from "@stowage/schemas/rules";
import type { StandardSchema } from "../standard-schema.js";
import type { BeforeUploadContext, CompleteContext } from "./upload-route.js";

/** A route as the helper works with it: sizes in bytes, kinds in a list, its callbacks without their types. */
export interface Route {
  rules: FileRules & { accept?: string[] | undefined };
  input: StandardSchema | undefined;
  metadata: ((context: BeforeUploadContext) => unknown) | undefined;
  onBeforeUpload: ((context: BeforeUploadContext) => unknown) | undefined;
  onComplete: ((context: CompleteContext) => unknown) | undefined;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
// An extension, a type, a group of types, or everything.
const KIND = /^(?:\.[^\s/,]+|[^\s/,*]+\/(?:[^\s/,*]+|\*)|\*\/\*|\*)$/;
const MEMBERS: ReadonlySet<string> = new Set([
  "accept",
  "maxSize",
  "minSize",
  "maxFiles",
  "input",
  "metadata",
  "onBeforeUpload",
  "onComplete",
]);

/** @throws {TypeError} with one sentence on the first thing that is wrong, which begins with where it is */
export function readRoutes(given: unknown): Map<string, Route> | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given)) throw new TypeError("routes must be an object: the route's name, and what it takes");
  return new Map(Object.entries(given).map(([name, route]) => [name, readRoute(name, route)]));
}

function readRoute(name: string, given: unknown): Route {
  const at = `routes.${name}`;
  if (!NAME.test(name)) {
    throw new TypeError(`${at}: a route's name has 1 to 64 letters, digits, hyphens and underscores`);
  }
  if (!isObject(given)) throw new TypeError(`${at} must be an object`);
  for (const member of Object.keys(given)) {
    if (!MEMBERS.has(member)) {
      throw new TypeError(`${at}.${member} is no member of a route: those are ${[...MEMBERS].join(", ")}`);
    }
  }
  const rules = {
    accept: readAccept(`${at}.accept`, given["accept"]),
    maxSize: readSize(`${at}.maxSize`, given["maxSize"]),
    minSize: readSize(`${at}.minSize`, given["minSize"]),
    maxFiles: readCount(`${at}.maxFiles`, given["maxFiles"]),
  };
  if ((rules.minSize ?? 0) > (rules.maxSize ?? Infinity)) {
    throw new TypeError(`${at}.minSize is more than its maxSize: no file could pass`);
  }
  return {
    rules,
    input: readSchema(`${at}.input`, given["input"]),
    metadata: readFunction(`${at}.metadata`, given["metadata"]),
    onBeforeUpload: readFunction(`${at}.onBeforeUpload`, given["onBeforeUpload"]),
    onComplete: readFunction(`${at}.onComplete`, given["onComplete"]),
  };
}

function readAccept(at: string, given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  const isList = Array.isArray(given) && given.every((kind) => typeof kind === "string");
  if (typeof given !== "string" && !isList) {
    throw new TypeError(`${at} must be a text such as "image/*", or a list of them`);
  }
  const kinds = acceptTokens(given as Accept);
  if (kinds.length === 0) throw new TypeError(`${at} names nothing: leave it out to take every file`);
  const wrong = kinds.find((kind) => !KIND.test(kind));
  if (wrong === undefined) return kinds;
  throw new TypeError(
    `${at}: "${wrong}" is neither a type such as "image/png" or "image/*" nor an extension such as ".png"`,
  );
}

function readSize(at: string, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  try {
    return parseSize(given as Size);
  } catch (thrown) {
    throw new TypeError(`${at}: ${(thrown as Error).message}`, { cause: thrown });
  }
}

function readCount(at: string, given: unknown): number | undefined {
  if (given === undefined || (Number.isSafeInteger(given) && (given as number) >= 1)) {
    return given as number | undefined;
  }
  throw new TypeError(`${at} must be a whole number of at least 1`);
}

function readSchema(at: string, given: unknown): StandardSchema | undefined {
  if (given === undefined) return undefined;
  // Some libraries' schemas are functions that carry the member.
  const standard = (given as Partial<StandardSchema> | null)?.["~standard"];
  if (typeof standard?.validate === "function") return given as StandardSchema;
  throw new TypeError(`${at} must be a Standard Schema, such as one of zod 3.24 or valibot 1 and later`);
}

function readFunction<Given, Answer>(at: string, given: unknown): ((given: Given) => Answer) | undefined {
  if (given === undefined || typeof given === "function")
    return given as ((given: Given) => Answer) | undefined;
  throw new TypeError(`${at} must be a function`);
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
