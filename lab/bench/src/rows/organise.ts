import { medianMs } from "../measure/median-ms.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { connect } from "../processes/connect.js";
import { seededDatabase } from "../processes/seeded-database.js";
import { startService } from "../processes/start-service.js";
import type { Figure, Row } from "../row.js";

const FILES = Number(process.env["FILES"] ?? 1_000_000);
const FOLDERS = 10_000;
const DEEP_PAGE = 1000;
/** So that page 1,000 exists. */
const FOLDERS_A_PAGE = 10;
const FILES_A_PAGE = 100;
const ROUNDS = 15;

/** The lists of a tenant with many files in many folders: `folders/`, and `files/` with a filter by metadata. */
export const organiseRow: Row = {
  name: "organise",
  async run(tools) {
    const { url, apiKey } = await seededDatabase({ tenants: 1, files: FILES }, tools);
    await organise(url);
    const { port } = (await startService(url, tools)).ready;
    const read = reader(`http://127.0.0.1:${port}/api/storage`, apiKey);
    const folders = (cursor: string | null) =>
      read("folders", { limit: String(FOLDERS_A_PAGE), ...(cursor && { cursor }) }, FOLDERS_A_PAGE);
    const files = (count: number, filter: Record<string, string> = {}, found = count) =>
      read("files", { limit: String(count), ...filter }, found);
    let deepCursor: string | null = null;
    for (let page = 1; page < DEEP_PAGE; page++) deepCursor = await folders(deepCursor);
    const measured = await takeTurns(
      {
        folders: () => medianMs(() => folders(null)),
        deepFolders: () => medianMs(() => folders(deepCursor)),
        fewFiles: () => medianMs(() => files(FOLDERS_A_PAGE)),
        files: () => medianMs(() => files(FILES_A_PAGE)),
        some: () => medianMs(() => files(FILES_A_PAGE, { "metadata[tenth]": "3" })),
        none: () => medianMs(() => files(FILES_A_PAGE, { "metadata[tenth]": "none" }, 0)),
      },
      { rounds: ROUNDS },
    );
    type Side = keyof typeof measured;
    const ms = (name: Side) => `${summarise(measured[name]).median.toFixed(2)} ms`;
    const figure = (measuredAs: string, name: Side, against: [string, Side], atMost: number): Figure => ({
      measured: `${measuredAs}, ${FILES} files of a tenant in ${FOLDERS} folders`,
      against: against[0],
      ratio: summarise(ratios(measured[name], measured[against[1]])),
      target: { atMost },
      details: `${ms(name)} and ${ms(against[1])}`,
    });
    const plain = (count: number) => `\`GET /api/storage/files/\`, ${count} a page`;
    return [
      figure(`\`GET /api/storage/folders/\`, page ${DEEP_PAGE}`, "deepFolders", ["page 1", "folders"], 1.2),
      figure("`GET /api/storage/folders/`, page 1", "folders", [plain(FOLDERS_A_PAGE), "fewFiles"], 2),
      figure("a filter by metadata that every tenth file has", "some", [plain(FILES_A_PAGE), "files"], 3),
      figure("a filter by metadata that no file has", "none", [plain(FILES_A_PAGE), "files"], 3),
    ];
  },
};

/** Gives the seeded files folders, as many files each, and metadata. A second run changes nothing. */
async function organise(url: string): Promise<void> {
  const sql = connect(url);
  try {
    const [folder] = await sql`select from folders limit 1`;
    if (folder) return;
    await sql.unsafe(`
      update files set folder = 'folder ' || id % ${FOLDERS}, metadata = jsonb_build_object('invoice', id::text, 'tenth', (id % 10)::text)
      where status = 'stored'`);
    await sql.unsafe(`
      insert into folders (project_id, tenant, parent, name, file_count, used_bytes)
      select f.project_id, f.tenant, chain.parent, chain.name, f.files, f.bytes
      from (select project_id, tenant, folder, count(*) as files, sum(size) as bytes from files where folder <> '' group by 1, 2, 3) f
      cross join lateral folder_chain(f.folder) chain`);
    await sql.unsafe("vacuum (analyze) files, folders");
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
}

/** @returns a function that reads a page with this many entries, and returns the next page's cursor */
function reader(url: string, apiKey: string) {
  return async (
    list: "files" | "folders",
    query: Record<string, string>,
    entries: number,
  ): Promise<string | null> => {
    const response = await fetch(
      `${url}/${list}/?${new URLSearchParams({ tenant_id: "user-0", ...query })}`,
      {
        headers: { Authorization: `Bearer ${apiKey}` },
        signal: AbortSignal.timeout(30_000),
      },
    );
    const page = (await response.json()) as {
      files?: unknown[];
      folders?: unknown[];
      next_cursor: string | null;
    };
    if (!response.ok || page[list]?.length !== entries)
      throw new Error(`the page has ${page[list]?.length} entries: HTTP ${response.status}`);
    return page.next_cursor;
  };
}
