import { CreateError } from "./create-error.js";

const LONGEST = 214;
const PART = /^[a-z0-9~][a-z0-9._~-]*$/;
const RESERVED = ["node_modules", "favicon.ico"];

/**
 * Checks a name by the rules of npm for new packages.
 *
 * @returns why the name is not allowed; undefined if it is
 * @see https://docs.npmjs.com/cli/configuring-npm/package-json#name
 */
export function problemOfName(name: string): string | undefined {
  if (name === "") return "it is empty";
  if (name.length > LONGEST) return `it has more than ${LONGEST} characters`;
  if (name !== name.toLowerCase()) return "it has capital letters";
  const parts = name.startsWith("@") ? name.slice(1).split("/") : [name];
  if (name.startsWith("@") && parts.length !== 2) return "a scope needs a name after it, as in @scope/name";
  if (parts.some((part) => /^[._]/.test(part))) return "it begins with a dot or an underscore";
  if (!parts.every((part) => PART.test(part))) return "it has characters that a URL cannot contain";
  if (RESERVED.includes(name)) return "npm reserves it";
  return undefined;
}

/** @throws {CreateError} with the reason and a name that works */
export function checkName(name: string): void {
  const problem = problemOfName(name);
  if (problem === undefined) return;
  throw new CreateError(
    `"${name}" cannot be the name of the app, because ${problem}. Use, for example, --name ${suggestName(name)}.`,
  );
}

/** Makes a name that npm allows of any text. */
export function suggestName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, LONGEST);
  return problemOfName(name) === undefined ? name : "my-app";
}
