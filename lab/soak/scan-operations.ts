import type { DownloadResponse } from "@stowage/schemas";
import type { Sql } from "postgres";
import { untilNone } from "./check-files.js";
import { isRightVariant, PRESET } from "./contents.js";
import { type SoakFile, statesAt } from "./ledger.js";
import { isSurely, type LoadState, withFiles } from "./load-state.js";

const isPicture = (state: LoadState) => (file: SoakFile) =>
  file.kind === "picture" && isSurely(state, file, "stored") && file.isRecorded && !file.ends;

/** Asks for the variant of a picture, which may still be being made. */
export function viewVariant(state: LoadState): Promise<boolean> {
  return withFiles(state, 1, isPicture(state), async ([file]) => void (await view(state, file!)));
}

/** @returns whether there was a variant */
async function view(state: LoadState, file: SoakFile): Promise<boolean> {
  const { apiKey: key } = state.projects[file.project]!;
  const body = { file_path: file.path, variant: PRESET };
  const answer = await state.client.call<DownloadResponse>({ name: "variant", path: "download/", key, body });
  if (answer === null || answer.code === "variant_pending" || answer.code === "file_not_scanned")
    return false;
  if (answer.status !== 200) {
    state.onWrong(`variant: ${answer.status} ${answer.code} of ${file.path}`);
    return false;
  }
  const object = await state.client.get(answer.body.presigned_url);
  if (object === null || object.status >= 500) return false;
  if (object.status !== 200 || !(await isRightVariant(file, object.bytes)))
    state.onWrong(`a wrong variant: ${object.status} of ${file.path}`);
  return true;
}

/** Waits until every file is scanned and every picture has its variant, and compares verdicts and images. */
export async function findUnscanned(sql: Sql, state: LoadState): Promise<string[]> {
  const waiting = await untilNone(async () => {
    await hurry(sql);
    return sql<{ path: string }[]>`
      select f.path from file_tasks t join files f on f.project_id = t.project_id and f.id = t.file_id where t.kind = 'scan' limit 5`;
  });
  const rows = await sql<{ path: string; scan_status: string }[]>`
    select f.path, f.scan_status from files f join projects p on p.id = f.project_id where p.scan = 'clamav' and f.status = 'stored'`;
  const wrong = waiting.map(({ path }) => `waits for its scan: ${path}`);
  for (const { path, scan_status } of rows) {
    const kind = state.files.get(path)?.kind;
    if (scan_status !== (kind === "virus" ? "infected" : "clean")) wrong.push(`${scan_status}: ${path}`);
  }
  if (!rows.some(({ scan_status }) => scan_status === "clean")) wrong.push("no file was left that is clean");
  const now = state.now();
  let pictures = state.live.filter(
    (file) => file.kind === "picture" && [...statesAt(file, now, true)].join() === "stored" && !file.ends,
  );
  await untilNone(async () => {
    await hurry(sql);
    const left: SoakFile[] = [];
    for (const file of pictures) if (!(await view(state, file))) left.push(file);
    pictures = left;
    return left;
  });
  return [...wrong, ...pictures.map(({ path }) => `has no variant: ${path}`)];
}

/** Lets the pauses after failed tries end. A pause is longer than a lease. */
async function hurry(sql: Sql): Promise<void> {
  await sql`update file_tasks set due_at = now() where due_at > now() + interval '70 seconds'`;
  await sql`update file_variants set due_at = now() where status = 'waiting' and due_at > now() + interval '70 seconds'`;
}
