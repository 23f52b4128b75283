import type { Sql } from "postgres";
import { endFiles } from "#files/lifecycle/end-files.js";
import { DAY_MS } from "#lib/time.js";
import { moveFiles } from "#visibility/move-file.js";
import type { World } from "../fixtures/a-world.js";
import type { Scene } from "./a-scene.js";

/** What other connections can read of a project. */
export interface Visible {
  tenant: Record<string, number> | null;
  lives: Life[];
  files: VisibleFile[];
}

interface VisibleFile {
  id: number;
  path: string;
  status: string;
  held: boolean;
  revision: number;
  /** What callers see of it. */
  shown: string;
  scanStatus: string;
  scannedEtag: string | null;
  isPublic: boolean;
  mayBePublic: boolean;
  publishEndsAt: string;
}

export async function readVisible(sql: Sql, { project }: Scene): Promise<Visible> {
  const [visible] = await sql.unsafe<Visible[]>(VISIBLE, [project.id], { prepare: true });
  return visible!;
}

/** What no step may change. @returns the wrong changes */
export function findWrongChanges(before: Visible, now: Visible): string[] {
  const earlier = new Map(before.files.map((file) => [file.id, file]));
  const wrong: string[] = [];
  for (const file of now.files) {
    const old = earlier.get(file.id);
    earlier.delete(file.id);
    if (!old && before.tenant?.["isLeaving"])
      wrong.push(`${nameOf(file)} was admitted for a tenant that is being deleted`);
    if (old && old.shown !== file.shown && file.revision <= old.revision)
      wrong.push(`${nameOf(file)} has changed without a new revision: ${old.shown}, ${file.shown}`);
    const becomesPublic = old && (file.isPublic > old.isPublic || file.publishEndsAt > old.publishEndsAt);
    if (becomesPublic && !file.mayBePublic)
      wrong.push(`${nameOf(file)} becomes public, and must not: ${file.shown}`);
    if (old?.status === "deleting" && file.status !== "deleting")
      wrong.push(`${nameOf(file)} is no longer deleted`);
  }
  for (const file of earlier.values())
    if (file.status !== "deleting") wrong.push(`${nameOf(file)} is gone, and was not deleted`);
  return wrong;
}

const nameOf = ({ path }: { path: string }) => path.slice(-8);

/** What must be true in every state that others can see. @returns what is not */
export function findViolations(
  { tenant, lives, files }: Visible,
  { quotaBytes, storedRow }: Scene,
): string[] {
  if (!tenant) return [];
  const equal = (name: string, of: string) =>
    tenant[name] === tenant[of] ? [] : [`${name} is ${tenant[name]} and ${of} ${tenant[of]}`];
  const taken = tenant["used"]! + tenant["reserved"]!;
  return [
    ...equal("used", "storedBytes"),
    ...equal("files", "storedFiles"),
    ...equal("days", "storedBytes"),
    ...equal("reserved", "reservedOfFiles"),
    ...equal("folderFiles", "storedInFolders"),
    ...equal("folderBytes", "bytesInFolders"),
    ...(taken > quotaBytes ? [`the quota is passed: ${taken}`] : []),
    ...(tenant["reserved"]! < 0 ? ["a negative reservation"] : []),
    ...(tenant["once"]! > 1 ? ["a repeated request has opened two uploads"] : []),
    ...(tenant["held"]! > 0 ? ["a file on hold is deleted"] : []),
    ...(tenant["isLeaving"] && files.some(({ held }) => held)
      ? ["a tenant with a file on hold is deleted"]
      : []),
    // The only verdict is about these bytes.
    ...files
      .filter(({ scanStatus, scannedEtag }) => scanStatus === "infected" && scannedEtag !== storedRow.etag)
      .map((file) => `${nameOf(file)} has the verdict of other bytes`),
    // The files of a tenant that is being deleted have no events.
    ...(tenant["isLeaving"] ? [] : findBadEvents(lives)),
  ];
}

/** A replacement has lent bytes of the file that it replaces: they do not count twice. */
const COUNTERS = `
select t.used_bytes as used, t.reserved_bytes as reserved, t.file_count as files,
  t.next_purge_at is not null as "isLeaving", count(*) filter (where f.held and f.status = 'deleting') as held,
  count(*) filter (where f.filename = 'once.txt') as once,
  count(*) filter (where f.folder <> '' and f.status in ('stored', 'trashed')) as "storedInFolders",
  coalesce(sum(f.size) filter (where f.folder <> '' and f.status in ('stored', 'trashed')), 0)::bigint as "bytesInFolders",
  (select coalesce(sum(d.file_count), 0)::int from folders d where d.project_id = t.project_id) as "folderFiles",
  (select coalesce(sum(d.used_bytes), 0)::bigint from folders d where d.project_id = t.project_id) as "folderBytes",
  coalesce(sum(f.size) filter (where f.status in ('stored', 'trashed')), 0)::bigint as "storedBytes",
  count(*) filter (where f.status in ('stored', 'trashed')) as "storedFiles",
  (coalesce(sum(f.reserved_bytes), 0) - (select coalesce(sum(r.credit_bytes), 0) from replacements r where r.project_id = t.project_id))::bigint
    as "reservedOfFiles",
  (select coalesce(sum(uploaded_bytes - deleted_bytes), 0)::bigint from usage_daily u where u.project_id = t.project_id) as days
from tenants t left join files f on f.project_id = t.project_id and f.tenant = t.id
where t.project_id = $1 group by t.project_id, t.id`;

/**
 * The events of each file in the order of its revisions tell its life: what is stored was announced last as stored or restored, and what
 * is gone as deleted or expired.
 */
function findBadEvents(rows: Life[]): string[] {
  const bad: string[] = [];
  for (const { path, status, events } of rows) {
    const lives = events.filter(({ type }) => type in ALIVE);
    const last = lives.at(-1);
    const isAlive = last !== undefined && ALIVE[last.type as keyof typeof ALIVE];
    const told = events.map(({ type }) => type).join(" ");
    if (isAlive !== (status === "stored"))
      bad.push(`${nameOf({ path })} is ${status ?? "gone"} and its events are ${told}`);
    // Each verdict and each PUT of other bytes is told once.
    for (const same of [lives, events.filter(({ type }) => type === "file.scanned")])
      if (
        same.some(({ type, etag }, index) => type === same[index - 1]?.type && etag === same[index - 1]?.etag)
      )
        bad.push(`${nameOf({ path })} has an event twice: ${told}`);
  }
  return bad;
}

interface Life {
  path: string;
  status: string | null;
  events: { type: string; etag: string | null }[];
}

const ALIVE = { "file.stored": true, "file.restored": true, "file.deleted": false };

const LIVES = `
with events as (
  select r ->> 'path' as path,
    json_agg(json_build_object('type', o.type, 'etag', r ->> 'etag') order by (r ->> 'revision')::int, o.position) as events
  from webhook_outbox o, json_array_elements(o.rows::json) r where o.project_id = $1 and o.type like 'file.%' group by 1)
select path, f.status, coalesce(e.events, '[]') as events
from (select path, status::text from files where project_id = $1) f full join events e using (path)`;

const FILES = `
select id, path, status, held, revision, scan_status as "scanStatus", scanned_etag as "scannedEtag", place = 'public' as "isPublic",
  visibility = 'public' and status = 'stored' and scan_status <> 'infected' as "mayBePublic", publish_ends_at as "publishEndsAt",
  concat_ws(' ', status, size, etag, held, folder, visibility, place, scan_status, tenant) as shown
from files where project_id = $1`;

const VISIBLE = `
select (select to_json(c) from (${COUNTERS}) c) as tenant, (select coalesce(json_agg(l), '[]') from (${LIVES}) l) as lives,
  (select coalesce(json_agg(f), '[]') from (${FILES}) f) as files`;

/** What must be true when all calls have ended and every job has done its work. @returns what is not */
export async function findFinalViolations(world: World, sql: Sql, scene: Scene): Promise<string[]> {
  const { project } = scene;
  // Until no URL can write any more, and nothing is due.
  for (const days of [2, 2, 40, 60]) {
    world.advance(days * DAY_MS);
    await endFiles(world.deps);
    await world.sweep();
    await moveFiles(world.deps, { afterProject: 0 });
  }
  const violations = findViolations(await readVisible(sql, scene), scene);
  const [inPrivate, inPublic] = [
    await compareWithStorage(world, project, "private"),
    await compareWithStorage(world, project, "public"),
  ];
  const errors = world.failures.splice(0).map((error) => `a sweep failed: ${String(error)}`);
  return [...violations, ...inPrivate, ...inPublic, ...errors];
}

/** Each bucket has exactly the objects of the files that are there. */
async function compareWithStorage(
  world: World,
  { id, ref }: Scene["project"],
  place: "private" | "public",
): Promise<string[]> {
  const files = await world.rows<{ path: string; size: number; mayBePublic: boolean }>(
    `select path, size, visibility = 'public' and status = 'stored' and scan_status <> 'infected' as "mayBePublic"
     from files where project_id = $1 and status in ('stored', 'trashed') and place = $2`,
    [id, place],
  );
  const bucket = place === "private" ? world.deps.store : world.deps.store.published!;
  const { objects } = await bucket.list(`projects/${ref}/`, null);
  const sizes = new Map(objects.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const known = new Set(files.map(({ path }) => path));
  return [
    ...files
      .filter(({ path, size }) => sizes.get(path) !== size)
      .map(({ path }) => `the ${place} ${path} is lost`),
    ...[...sizes.keys()].filter((path) => !known.has(path)).map((path) => `the ${place} ${path} is left`),
    ...files
      .filter(({ mayBePublic }) => place === "public" && !mayBePublic)
      .map(({ path }) => `${path} is public`),
  ];
}
