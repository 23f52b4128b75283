/**
 * How many entries one page of a search may read. No index that every PostgreSQL has finds substrings, so a search reads the list
 * in its order and stops after a window. Its page may then be short or empty and still have a next page (docs/decisions/0006).
 */
export const SEARCH_WINDOW = 10_000;

/**
 * The window for an order in which neighbours are far apart in the table, for example by name: every entry may be on another disk
 * page, while the newest ten thousand share a few hundred pages.
 */
export const SCATTERED_WINDOW = 2000;

/** A LIKE pattern for texts that contain this text. Wildcards in the text are escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
