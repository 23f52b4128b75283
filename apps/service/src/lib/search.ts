/**
 * How many entries one page of a search may read. A substring has no index that every PostgreSQL has, so a search reads the
 * list in its order and stops there: its page may then be short, or empty, and still have a next one (docs/decisions/0006).
 */
export const SEARCH_WINDOW = 10_000;

/**
 * The same for an order in which neighbours lie far apart in the table, such as by name: each entry read may be a page of the disk,
 * where the newest ten thousand share a few hundred.
 */
export const SCATTERED_WINDOW = 2000;

/** A LIKE pattern for text that has this in it, whatever characters it is made of. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
