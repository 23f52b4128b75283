import { setTimeout as wait } from "node:timers/promises";
import type { UnwatchedPage } from "../processes/unwatched-page.js";

/** A person needs longer to choose a file than a page needs to load its code. */
const LOADED_MS = 1000;

/**
 * Chooses files in a page that uploads them, and closes the page.
 *
 * @returns seconds from choosing to the end of the last file, as the page saw it @throws {Error} if a file did not arrive
 */
export async function byPage(page: UnwatchedPage, files: string[]): Promise<number> {
  try {
    await wait(LOADED_MS);
    await page.chooseFiles(files);
    const { seconds, totals, errors } = await page.evaluate(async () => {
      const record = globalThis as unknown as PageRecord;
      while (!record.settled) await new Promise((resolve) => setTimeout(resolve, 100));
      const { at, totals, errors } = record.settled;
      return { seconds: (at - record.chosenAt!) / 1000, totals, errors };
    }, null);
    if (totals.done !== files.length)
      throw new Error(`${totals.done} of ${files.length} files arrived: ${errors?.join(", ")}`);
    return seconds;
  } finally {
    await page.close();
  }
}

/** What the pages record: `page/main.js`, and those of the peers. */
interface PageRecord {
  chosenAt?: number;
  settled?: { at: number; totals: { done: number }; errors?: string[] };
}
