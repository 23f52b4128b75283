import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { listMultipartPaths, listStoredObjects } from "@stowage/service/test/fixtures/direct-access.js";
import type { SoakedSystem } from "./a-soaked-system.js";
import { runStowage } from "./command-line.js";
import { checkPlace, observe, type State } from "./ledger.js";
import type { LoadState } from "./load-state.js";
import { storages } from "./storages.js";
import { download } from "./read-operations.js";

const SETTLES_WITHIN_MS = 180_000;
const POLL_MS = 1000;
const CONCURRENT_DOWNLOADS = 8;

/** Waits until a condition holds. @returns what is left of it at the end */
export async function untilNone<T>(find: () => Promise<T[]>, withinMs = SETTLES_WITHIN_MS): Promise<T[]> {
  const until = Date.now() + withinMs;
  for (;;) {
    const left = await find();
    if (left.length === 0 || Date.now() > until) return left;
    await sleep(POLL_MS);
  }
}

/** Lets the URLs of open uploads expire, as time does. @param paths @default all */
export async function expireUploads(sql: Sql, paths?: string[]): Promise<void> {
  await sql`
    update files set url_expires_at = now() - interval '2 days', next_check_at = now(), multipart = case
        when multipart ? 'urlsExpireAt' then jsonb_set(multipart, '{urlsExpireAt}',
          to_jsonb((multipart ->> 'urlsExpireAt')::bigint - ${2 * 24 * 3600 * 1000}::bigint))
        else multipart end
      where status = 'pending' and (${paths ?? null}::text[] is null or path = any(${paths ?? null}::text[]))`;
}

/** Lets the URLs of open uploads expire, as time does, and waits until the service has looked at every file. */
export async function findStuck(sql: Sql): Promise<string[]> {
  await expireUploads(sql);
  await sql`update files set next_check_at = now() where part_size is not null and status in ('stored', 'trashed')`;
  const stuck = await untilNone(async () => {
    // A killed replica holds its claims until they end.
    await sql`update files set next_check_at = now() where status in ('pending', 'deleting') and next_check_at > now() + interval '2 seconds'`;
    return sql<Record<string, unknown>[]>`
      select path, status, multipart, url_expires_at - now() as url_ends_in,
        next_check_at - now() as next_check_in, revision
      from files where status in ('pending', 'deleting') or reserved_bytes > 0 or purge_at < now() limit 5`;
  });
  return stuck.map(({ path, ...row }) => `${String(path)}: ${JSON.stringify(row)}`);
}

const stateOf: Record<string, State> = {
  pending: "open",
  expired: "open",
  stored: "stored",
  trashed: "trashed",
};

/** Compares the rows with everything that was acknowledged. */
export async function findLost({ sql }: SoakedSystem, state: LoadState): Promise<string[]> {
  const rows = await sql<
    { path: string; status: string; size: string | null; folder: string; note: string | null }[]
  >`select path, status, size, folder, metadata ->> 'note' as note from files`;
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const wrong: string[] = [];
  for (const file of state.files.values()) {
    const row = byPath.get(file.path);
    const { hasTrash } = state.projects[file.project]!;
    const problem = observe(file, row ? stateOf[row.status]! : "gone", { hasTrash, now: state.now() });
    if (problem) wrong.push(problem);
    const misplaced = row && checkPlace(file, row);
    if (misplaced) wrong.push(misplaced);
    if (row?.status === "stored" && Number(row.size) !== file.sizeBytes)
      wrong.push(`${row.size} bytes: ${file.path}`);
  }
  const unknown = rows.filter(({ path }) => !state.files.has(path));
  for (const { path, status } of unknown)
    if (status !== "expired") wrong.push(`${status}, but no answer named it: ${path}`);
  // Each unanswered upload was tried several times with one key, so it has at most one row.
  if (unknown.length > state.unknownUploads)
    wrong.push(`${unknown.length} rows of ${state.unknownUploads} unanswered uploads`);
  return wrong;
}

/** Compares the bucket with the rows. */
export async function findWrongObjects({ sql }: SoakedSystem): Promise<string[]> {
  const wrong = await untilNone(async () => {
    const rows = await sql<
      { path: string; size: string }[]
    >`select path, size from files where status in ('stored', 'trashed')`;
    const expected = new Map(rows.map(({ path, size }) => [path, Number(size)]));
    const variants = await sql<
      { path: string; size: string; status: string }[]
    >`select path, size, status from file_variants`;
    for (const { path, size, status } of variants) if (status === "ready") expected.set(path, Number(size));
    // A worker may have written it, or be about to.
    const unsure = new Set(variants.filter(({ status }) => status !== "ready").map(({ path }) => path));
    const found = new Map<string, number>();
    const places = await sql<
      { ref: string; storage: keyof typeof storages | null }[]
    >`select ref, storage from projects`;
    const multiparts: string[][] = [];
    const misplaced: string[] = [];
    for (const { ref, storage } of places)
      for (const [name, bucketOf] of Object.entries(storages)) {
        const objects = await listStoredObjects(`projects/${ref}/`, bucketOf());
        multiparts.push(await listMultipartPaths(`projects/${ref}/`, bucketOf()));
        if (name !== (storage ?? "first")) misplaced.push(...objects.keys());
        else for (const [path, size] of objects) found.set(path, size);
      }
    return [
      ...[...expected]
        .filter(([path, size]) => found.get(path) !== size)
        .map(([path]) => `no object, or of another size: ${path}`),
      ...[...found.keys()]
        .filter((path) => !expected.has(path) && !unsure.has(path))
        .map((path) => `an object without a file: ${path}`),
      ...misplaced.map((path) => `an object in the storage that its project left: ${path}`),
      ...multiparts.flat().map((path) => `parts are left: ${path}`),
    ];
  }, 60_000);
  return wrong;
}

/** Downloads every file that is stored, through the service, and compares its bytes. Writes to `state.onWrong`. */
export async function downloadAll(state: LoadState): Promise<number> {
  const stored = state.live.filter(({ states }) => states.has("stored"));
  const left = [...stored];
  const work = async () => {
    for (let file = left.pop(); file; file = left.pop()) await download(state, file);
  };
  await Promise.all(Array.from({ length: CONCURRENT_DOWNLOADS }, work));
  return stored.length;
}

/** What `stowage reconcile` finds. */
export async function findDrift({ settings }: SoakedSystem): Promise<string[]> {
  const { code, lines } = await runStowage(settings, ["reconcile"]);
  return code === 0 ? [] : [`the exit code is ${code}`, ...lines];
}
