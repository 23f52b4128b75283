/** What the key of an object says of its file. */
export interface MatchedKey {
  tenantId?: string | undefined;
  folder?: string | undefined;
  filename?: string | undefined;
}

export interface KeyPattern {
  hasTenant: boolean;
  /** @returns null if the pattern does not match the whole key */
  match(key: string): MatchedKey | null;
}

/** What is wrong with a pattern: completes the sentence "The pattern …". */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

const MAX_WILDCARDS = 2;
const MAX_IN_SEGMENT = 2;

/**
 * Reads a pattern such as `users/{tenant}/{folder}/{filename}`:
 *
 * - `{tenant}`: at least one character without `/`, and as few as possible
 * - `{folder}`: any number of whole segments
 * - `{filename}`: the last segment, or its end
 * - `*`: characters without `/`, and `**`: any characters. They are ignored
 *
 * Text stands between two of these, and a segment has at most two, so that a long key takes little time.
 *
 * @throws {PatternError}
 */
export function readPattern(pattern: string): KeyPattern {
  const pieces = pattern.match(/\{folder\}\/|\{[^{}]*\}|\*{1,2}|[^{}*]+|[{}]/g) ?? [];
  const variables = pieces.filter(isVariable);
  checkPieces(pieces);
  const expression = new RegExp(`^${pieces.map(toExpression).join("")}$`, "su");
  return {
    hasTenant: variables.includes("{tenant}"),
    match(key) {
      const found = expression.exec(key);
      if (!found) return null;
      const groups: Record<string, string | undefined> = found.groups ?? {};
      // A folder that is not there matches nothing: the file is in the root.
      const folder = variables.includes("{folder}/") ? (groups["folder"] ?? "") : undefined;
      return { tenantId: groups["tenant"], folder, filename: groups["filename"] };
    },
  };
}

const EXPRESSIONS = new Map([
  ["{tenant}", "(?<tenant>[^/]+?)"],
  ["{folder}/", "(?:(?<folder>.+)/)?"],
  ["{filename}", "(?<filename>[^/]+)"],
  ["*", "[^/]*"],
  ["**", ".*"],
]);

const isVariable = (piece: string) => EXPRESSIONS.has(piece);

const toExpression = (piece: string) => EXPRESSIONS.get(piece) ?? piece.replace(/[\\^$.+?()[\]|/]/g, "\\$&");

function checkPieces(pieces: string[]): void {
  const unknown = pieces.find((piece) => /[{}]/.test(piece) && !isVariable(piece));
  if (unknown === "{folder}") throw new PatternError("must have / after {folder}");
  if (unknown !== undefined)
    throw new PatternError(`has ${unknown}. There are {tenant}, {folder}, {filename}, * and **`);
  for (const [index, piece] of pieces.entries()) {
    if (!isVariable(piece)) continue;
    const before = pieces[index - 1];
    if (piece.startsWith("{") && pieces.indexOf(piece) !== index)
      throw new PatternError(`has ${piece.replace("/", "")} twice`);
    if (before !== undefined && isVariable(before) && before !== "{folder}/")
      throw new PatternError(`must have text between ${before} and ${piece}`);
    if (piece === "{folder}/" && before !== undefined && !before.endsWith("/"))
      throw new PatternError("must have / before {folder}");
    if (piece === "{filename}" && index < pieces.length - 1)
      throw new PatternError("must end with {filename}");
  }
  const wildcards = pieces.filter((piece) => piece.startsWith("*"));
  if (wildcards.length > MAX_WILDCARDS) throw new PatternError(`may have * and ** ${MAX_WILDCARDS} times`);
  if (countInSegments(pieces) > MAX_IN_SEGMENT)
    throw new PatternError(`may have ${MAX_IN_SEGMENT} placeholders between two /`);
  if (pieces.includes("**") && pieces.includes("{folder}/"))
    throw new PatternError("may have ** or {folder}, not both");
}

/** The largest number of placeholders in one segment. */
function countInSegments(pieces: string[]): number {
  let largest = 0;
  let count = 0;
  for (const piece of pieces) {
    if (isVariable(piece)) largest = Math.max(largest, ++count);
    if (piece.includes("/")) count = 0;
  }
  return largest;
}
