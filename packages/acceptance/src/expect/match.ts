/** A rule for a value that is not known in advance, such as a time. `text` completes the sentence "expected …". */
class Rule {
  readonly text: string;
  readonly accepts: (value: unknown) => boolean;

  constructor(text: string, accepts: (value: unknown) => boolean) {
    this.text = text;
    this.accepts = accepts;
  }
}

/** An object that has these members and no other. */
class Exactly {
  readonly shape: Record<string, unknown>;

  constructor(shape: Record<string, unknown>) {
    this.shape = shape;
  }
}

export const exactly = (shape: Record<string, unknown>) => new Exactly(shape);

export const aText = new Rule("a text", (value) => typeof value === "string" && value !== "");
export const aNumber = new Rule("a number", (value) => typeof value === "number");
export const aTime = new Rule(
  "a time in UTC like 2026-01-31T12:00:00.000Z",
  (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
);
export const aUrl = new Rule(
  "an http or https URL",
  (value) => typeof value === "string" && URL.canParse(value) && /^https?:/.test(value),
);
export const anything = new Rule("any value", () => true);
export const aTextLike = (pattern: RegExp) =>
  new Rule(`a text like ${pattern.source}`, (value) => typeof value === "string" && pattern.test(value));
export const oneOf = (...values: unknown[]) =>
  new Rule(values.map(show).join(" or "), (value) => values.includes(value));

export interface Difference {
  /** Where in the value, such as `files[0].size`. Empty for the value itself. */
  path: string;
  expected: string;
  got: string;
}

/**
 * Compares a value with what is expected: a {@link Rule}, a list with an expectation for each element, an object with expectations for
 * some of its members, or a value.
 *
 * @returns the first difference; null if there is none
 */
export function findDifference(expected: unknown, got: unknown, path = ""): Difference | null {
  if (expected instanceof Rule) {
    return expected.accepts(got) ? null : { path, expected: expected.text, got: show(got) };
  }
  if (expected instanceof Exactly) {
    return findDifference(expected.shape, got, path) ?? findSurplus(expected.shape, got, path);
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) {
      return { path, expected: `a list of ${expected.length}: ${show(expected)}`, got: show(got) };
    }
    return first(expected.map((one, index) => () => findDifference(one, got[index], `${path}[${index}]`)));
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof got !== "object" || got === null) return { path, expected: "an object", got: show(got) };
    const members = got as Record<string, unknown>;
    return first(
      Object.entries(expected).map(
        ([name, one]) =>
          () =>
            findDifference(one, members[name], path ? `${path}.${name}` : name),
      ),
    );
  }
  return Object.is(expected, got) ? null : { path, expected: show(expected), got: show(got) };
}

function findSurplus(shape: Record<string, unknown>, got: unknown, path: string): Difference | null {
  const surplus = Object.keys(got as object).find((name) => !(name in shape));
  if (surplus === undefined) return null;
  return { path, expected: `only the members ${Object.keys(shape).join(", ")}`, got: `also ${surplus}` };
}

function first(checks: (() => Difference | null)[]): Difference | null {
  for (const check of checks) {
    const found = check();
    if (found) return found;
  }
  return null;
}

const MAX_SHOWN = 300;

/** A value as JSON, shortened for a person. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text =
    JSON.stringify(value, (_name, member: unknown) =>
      member instanceof Rule ? `‹${member.text}›` : member instanceof Exactly ? member.shape : member,
    ) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}
