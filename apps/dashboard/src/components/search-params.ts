/*
 * Parsers of a page's search parameters, for `validateSearch` of a route. A wrong or unknown parameter is dropped, so a mistyped
 * link still shows the page. docs/decisions/0018 says why these are not zod schemas.
 */

type Parser<Value> = (value: unknown) => Value | undefined;
type Parsers = Record<string, Parser<unknown>>;

/** The parameters of a page: every one is optional. */
export type SearchOf<Parse extends (search: Record<string, unknown>) => object> = ReturnType<Parse>;

type Parsed<Fields extends Parsers> = { [Name in keyof Fields]?: NonNullable<ReturnType<Fields[Name]>> };

/**
 * Creates a `validateSearch` function from one parser per parameter. Dropped parameters are set to `undefined` because the router
 * merges the result into the raw parameters of the address.
 */
export function searchParams<const Fields extends Parsers>(fields: Fields) {
  return (search: Record<string, unknown>): Parsed<Fields> => {
    const dropped = Object.keys(search).map((name) => [name, undefined]);
    const parsed = Object.entries(fields).map(([name, parse]) => [name, parse(search[name])]);
    const kept = parsed.filter(([, value]) => value !== undefined);
    return Object.fromEntries([...dropped, ...kept]) as Parsed<Fields>;
  };
}

/** A text that is not empty. The router has parsed `?q=2026` into a number and `?q=true` into a boolean. */
export function text(value: unknown): string | undefined {
  const isText = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isText && value !== "" ? String(value) : undefined;
}

/** One of the given values. */
export function oneOf<const Value>(values: readonly Value[]): Parser<Value> {
  return (value) => values.find((allowed) => allowed === value);
}

/** Some of the given values, in their given order. A single value need not be in an array. */
export function someOf<const Value>(values: readonly Value[]): Parser<Value[]> {
  return (value) => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const found = values.filter((allowed) => list.includes(allowed));
    return found.length > 0 ? found : undefined;
  };
}

/** A day that exists, such as 2026-01-31. */
export function day(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value ? undefined : value;
}

/** Drops `from` and `to` if `from` is after `to`. */
export function orderedDays<Search extends { from?: string; to?: string }>(search: Search): Search {
  const { from, to } = search;
  const isInOrder = from === undefined || to === undefined || from <= to;
  return isInOrder ? search : { ...search, from: undefined, to: undefined };
}
