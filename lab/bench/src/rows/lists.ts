import { medianMs } from "../measure/median-ms.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { seededDatabase } from "../processes/seeded-database.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";

const FILES = Number(process.env["FILES"] ?? 10_000_000);
const TENANTS = 100_000;
const DEEP_PAGE = 10_000;
const PAGE_FILES = 100;
const ROUNDS = 15;

/**
 * `GET /api/storage/files/`: the first page and a page after ten thousand cursors. It lists stored files, because other rows leave
 * pending uploads in this database, which have less to show.
 */
export const listsRow: Row = {
  name: "lists",
  async run(tools) {
    const { url, apiKey } = await seededDatabase({ tenants: TENANTS, files: FILES }, tools);
    const service = await startService(url, tools);
    const read = reader(service.ready.port, apiKey);
    const deepPage = Math.min(DEEP_PAGE, Math.floor(FILES / PAGE_FILES));
    tools.say(`reading up to page ${deepPage}`);
    const cursor = await walk(read, deepPage);
    const measured = await takeTurns(
      { first: () => medianMs(() => read(null)), deep: () => medianMs(() => read(cursor)) },
      { rounds: ROUNDS },
    );
    measured.first.forEach((first, round) =>
      tools.say(`page 1 ${first.toFixed(2)} ms, page ${deepPage} ${measured.deep[round]!.toFixed(2)} ms`),
    );
    return [
      {
        measured: `\`GET /api/storage/files/?status=stored\`, page ${deepPage} of ${PAGE_FILES} at ${FILES} files`,
        against: "page 1",
        ratio: summarise(ratios(measured.deep, measured.first)),
        target: { atMost: 1.1 },
        details: `${summarise(measured.deep).median.toFixed(2)} and ${summarise(measured.first).median.toFixed(2)} ms, each the median of 40 requests one after the other`,
      },
    ];
  },
};

/** @returns the next page's cursor */
type Read = (cursor: string | null) => Promise<string | null>;

function reader(port: number, apiKey: string): Read {
  return async (cursor) => {
    const url = new URL(`http://127.0.0.1:${port}/api/storage/files/?status=stored&limit=${PAGE_FILES}`);
    if (cursor !== null) url.searchParams.set("cursor", cursor);
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(30_000),
    });
    const page = (await response.json()) as { files: unknown[]; next_cursor: string | null };
    if (!response.ok || page.files.length !== PAGE_FILES)
      throw new Error(`the page is not full: HTTP ${response.status}`);
    return page.next_cursor;
  };
}

/** @returns the cursor of this page */
async function walk(read: Read, toPage: number): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 1; page < toPage; page++) cursor = await read(cursor);
  return cursor;
}
