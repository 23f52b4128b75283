/** An answer as it arrives. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Headers that differ from answer to answer, or describe the connection. */
const CHANGING_HEADERS = ["date", "x-request-id", "set-cookie", "content-length", "keep-alive", "connection"];

/** Values that the service makes anew for each answer: times, signatures, references, keys and tokens. */
const CHANGING_VALUES =
  /\d{4}-\d\d-\d\dT[\d:.]+Z|X-Amz-[\w-]+=[^&"]*|stow_live_\w+|(?<=#)[\w-]{20,}|(?<![0-9A-Za-z])[0-9A-Za-z]{22}(?![0-9A-Za-z])|"(?:last4|apiKeyLast4)":"\w+"|"id":\d+/g;

/** Returns everything of an answer that must be equal for a resource of another project and for one that does not exist. */
export function comparable(answer: RawAnswer, sent: Leaf[]) {
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !CHANGING_HEADERS.includes(name)),
  );
  const text = withoutSent(answer.text, sent).replaceAll(CHANGING_VALUES, "‹new›");
  return { status: answer.status, headers, text };
}

/** Parts of a path that are not names, such as `tenants`, are shorter. */
const MIN_PART_LENGTH = 12;

/** Removes what the request itself contained, and the parts of its paths: an answer may repeat them. */
export function withoutSent(text: string, sent: Leaf[]): string {
  const texts = sent
    .filter((value) => typeof value === "string")
    .flatMap((value) => [value, ...value.split(/[/_]/).filter((part) => part.length >= MIN_PART_LENGTH)])
    .flatMap((part) => [part, encodeURIComponent(part)])
    .toSorted((a, b) => b.length - a.length);
  const numbers = sent.filter((value) => typeof value === "number");
  const withoutTexts = texts.reduce((rest, value) => rest.replaceAll(value, "‹sent›"), text);
  return numbers.reduce(
    (rest, value) => rest.replaceAll(new RegExp(`(?<!\\d)${value}(?!\\d)`, "g"), "‹sent›"),
    withoutTexts,
  );
}

type Leaf = string | number;

/** Returns the texts and numbers of two inputs in which they differ: the names of the resources. */
export function differencesOf(one: unknown, other: unknown): { one: Leaf[]; other: Leaf[] } {
  const [a, b] = [leavesOf(one), leavesOf(other)];
  const differing = [...a.keys()].filter((index) => a[index] !== b[index]);
  return { one: differing.map((index) => a[index]!), other: differing.map((index) => b[index]!) };
}

function leavesOf(value: unknown): Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}
