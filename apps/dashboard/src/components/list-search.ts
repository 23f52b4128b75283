import type { SortOrder } from "@stowage/operator-schemas";
import { oneOf, text } from "./search-params.js";

/*
 * Search parameters of lists. The service's calls use the same names and values.
 */

/** What a list can be sorted by, and the direction that a first click on the column gives. */
export type Orders<By extends string> = Record<By, SortOrder>;

/** Parsers of the parameters that every list has. They do not use the schemas' lists of values, because those would add zod to the first load. */
export function listParams<By extends string>(orders: Orders<By>) {
  return {
    sort: oneOf(Object.keys(orders) as By[]),
    order: oneOf<SortOrder>(["asc", "desc"]),
    cursor: text,
  };
}

/** A change of search parameters. `undefined` removes a parameter. */
export type Change<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** Applies a change. Returns to the first page unless the change contains a cursor. Keeps `q` first in the URL. */
export function changeSearch<Search extends { q?: string; cursor?: string }>(
  current: Search,
  change: Change<Search>,
): Search {
  const { q, cursor: _, ...kept } = current;
  const entries = Object.entries({ q, ...kept, ...change }).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(entries) as Search;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
