import type { SortOrder } from "@stowage/schemas/dashboard";

/*
 * What of a list lives in its address, by the names that the service has for it.
 */

export interface ListSearch<By extends string> {
  q?: string;
  sort?: By;
  order?: SortOrder;
  cursor?: string;
}

/** What a list can be sorted by, and in which order at first: names from A, the newest and the largest before the others. */
export type Orders<By extends string> = Record<By, SortOrder>;

/** Whatever else an address says is left out, so that a mistyped one is still a list. */
export function readListSearch<By extends string>(
  search: Record<string, unknown>,
  orders: Orders<By>,
): ListSearch<By> {
  const { q, sort, order, cursor } = search;
  return withoutEmpty<ListSearch<By>>({
    q: asText(q),
    sort: (Object.keys(orders) as By[]).find((name) => name === sort),
    order: order === "asc" || order === "desc" ? order : undefined,
    cursor: asText(cursor),
  });
}

/** Undefined takes away what was said. */
export type Change<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** Another list, beginning with its first page unless the change says which. What is searched for stands first, however it came to be. */
export function changeSearch<Search extends Pick<ListSearch<never>, "q" | "cursor">>(
  now: Search,
  change: Change<Search>,
): Search {
  const { q, cursor: _, ...kept } = now;
  return withoutEmpty<Search>({ q, ...kept, ...change } as Change<Search>);
}

/** An address says nothing that it would also mean without. */
export function withoutEmpty<Search extends object>(search: Change<Search>): Search {
  const said = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said) as Search;
}

/** The router reads a text that is all digits as a number. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
