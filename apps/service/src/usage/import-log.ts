import { createHash } from "node:crypto";
import type { Queries } from "#db/client.js";
import { groupBy } from "#lib/group-by.js";
import { addMs, DAY_MS, toUtcDay } from "#lib/time.js";
import { createLogParser, type Delivery, type LogFormat } from "./access-logs.js";
import { COUNTED_DAYS } from "./delete-old-deliveries.js";

export interface ImportedLog {
  lines: number;
  /** Lines that are not of the format, or longer than 64 KiB. */
  unreadLines: number;
  /** Downloads that are not counted, because they were more than 90 days ago. */
  oldDownloads: number;
  /** Downloads of files of tenants that exist, and of their variants. */
  downloads: number;
  bytes: number;
  /** The part of `bytes` that no earlier import has counted. */
  newBytes: number;
}

/** The log has lines, and none is of the format. The message is the rest of a sentence about the log. */
export class WrongLogFormatError extends Error {
  override readonly name = "WrongLogFormatError";
}

type ImportLogDeps = { db: Queries; clock: () => Date };

/**
 * Counts the bytes that an access log says were downloaded, for the tenants whose files they were. A log is known by its first download. Its
 * counts only grow to what its lines say, so a log that is imported again counts nothing twice, also after an import that was killed, and one
 * that has grown counts what is new. Memory grows with the tenants and days of the log, not with its lines.
 *
 * @param log.server tells logs with the same first line apart
 * @param lines null for a line that was too long
 * @throws {WrongLogFormatError} and any error of `lines`: then nothing was counted; {StowageError} `unavailable`: import the log again
 */
export async function importLog(
  deps: ImportLogDeps,
  { format, server }: { format: LogFormat; server: string },
  lines: AsyncIterable<string | null>,
): Promise<ImportedLog> {
  const parse = createLogParser(format);
  const sums = createSums(deps);
  const result = { lines: 0, unreadLines: 0, oldDownloads: 0, downloads: 0, bytes: 0, newBytes: 0 };
  const firstDay = toUtcDay(addMs(deps.clock(), -COUNTED_DAYS * DAY_MS));
  const lastDay = toUtcDay(addMs(deps.clock(), DAY_MS));
  let isOfFormat = false;
  let log: string | undefined;
  for await (const line of lines) {
    result.lines++;
    const parsed = line === null ? "unread" : parse(line);
    if (parsed === "unread") result.unreadLines++;
    else if (line?.trim()) isOfFormat = true;
    const object = typeof parsed === "object" && OBJECT.exec(parsed.path)?.[1];
    if (line === null || typeof parsed === "string" || !object) continue;
    log ??= createHash("sha256").update(`${server}\n${line}`).digest("base64url");
    const day = toUtcDay(parsed.at);
    if (day < firstDay) result.oldDownloads++;
    // The clock of the server is wrong by more than a day.
    else if (day > lastDay) result.unreadLines++;
    else {
      sums.add(object, day, parsed);
      if (sums.areFull()) await sums.assign();
    }
  }
  if (!isOfFormat && result.lines > 0) throw new WrongLogFormatError(`has no line of the format ${format}`);
  await sums.assign();
  if (log === undefined) return result;
  for (const [projectId, ofProject] of sums.byProject()) {
    const changes = [...ofProject.values()];
    for (let start = 0; start < changes.length; start += CHANGES_PER_STATEMENT) {
      const some = JSON.stringify(changes.slice(start, start + CHANGES_PER_STATEMENT));
      const [row] = await deps.db.execute<{ bytes: number }>(WRITE, [projectId, log, some]);
      result.newBytes += row!.bytes;
    }
    for (const { downloads, bytes } of changes) {
      result.downloads += downloads;
      result.bytes += bytes;
    }
  }
  return result;
}

/** Few, because uploads of their tenants wait meanwhile. */
const CHANGES_PER_STATEMENT = 200;
const WRITE = "select import_deliveries($1::bigint, $2::text, $3::text::json) as bytes";

/**
 * The paths of files (files/upload/object-key.ts) and of variants (images/find-variant.ts). The first group tells whose bytes they are: the
 * folder of a tenant, or the whole path of a variant.
 */
const OBJECT =
  /(?:^|\/)(projects\/[0-9A-Za-z]{22}\/(?:tenants\/[0-9A-Za-z]{22}(?=\/)|variants\/[0-9A-Za-z]{22}$))/;

/** What a tenant has downloaded on a day, as `import_deliveries` takes it. */
interface Change {
  tenant: number;
  day: string;
  downloads: number;
  bytes: number;
}

/** Objects and days whose tenants are looked for together. */
const PENDING_SUMS = 1000;

/**
 * Sums deliveries by tenant and day. The tenants of a few objects at a time are looked for, so that addresses of files that do not exist
 * take no memory.
 */
function createSums({ db }: ImportLogDeps) {
  const pending = new Map<string, Omit<Change, "tenant"> & { object: string }>();
  const byProject = new Map<number, Map<string, Change>>();
  return {
    byProject: () => byProject,
    areFull: () => pending.size >= PENDING_SUMS,
    add(object: string, day: string, { bytes }: Delivery): void {
      const key = `${object} ${day}`;
      const sum = pending.get(key) ?? { object, day, downloads: 0, bytes: 0 };
      sum.downloads++;
      sum.bytes += bytes;
      pending.set(key, sum);
    },
    /** Adds the sums to those of the tenants. */
    async assign(): Promise<void> {
      const owners = await findOwners(db, new Set([...pending.values()].map(({ object }) => object)));
      for (const { object, day, downloads, bytes } of pending.values()) {
        const owner = owners.get(object);
        if (!owner) continue;
        const { projectId, tenant } = owner;
        const ofProject = byProject.get(projectId) ?? new Map<string, Change>();
        byProject.set(projectId, ofProject);
        const key = `${tenant} ${day}`;
        const change = ofProject.get(key) ?? { tenant, day, downloads: 0, bytes: 0 };
        change.downloads += downloads;
        // Only a log that was made up has more. PostgreSQL adds further logs to it.
        change.bytes = Math.min(change.bytes + bytes, Number.MAX_SAFE_INTEGER);
        ofProject.set(key, change);
      }
      pending.clear();
    },
  };
}

interface Owner {
  projectId: number;
  tenant: number;
}

/** @returns the owners of the objects whose project and tenant exist */
async function findOwners(db: Queries, objects: Iterable<string>): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>();
  const byRef = groupBy(objects, (object) => object.split("/")[1]!);
  if (byRef.size === 0) return owners;
  const refs = JSON.stringify([...byRef.keys()]);
  const projects = await db.execute<{ id: number; ref: string }>(FIND_PROJECTS, [refs]);
  for (const { id: projectId, ref } of projects) {
    const wanted = JSON.stringify(byRef.get(ref));
    for (const statement of [FIND_TENANTS, FIND_TENANTS_OF_VARIANTS]) {
      const found = await db.execute<{ object: string; tenant: number }>(statement, [projectId, wanted]);
      for (const { object, tenant } of found) owners.set(object, { projectId, tenant });
    }
  }
  return owners;
}

const FIND_PROJECTS = `
select id, ref from projects
where ref in (select value from json_array_elements_text($1::text::json)) and deleted_at is null`;

const FIND_TENANTS = `
select wanted.object, t.id as tenant from json_array_elements_text($2::text::json) as wanted (object)
join tenants t on t.project_id = $1::bigint and t.ref = split_part(wanted.object, '/', 4)
where split_part(wanted.object, '/', 3) = 'tenants'`;

const FIND_TENANTS_OF_VARIANTS = `
select wanted.object, f.tenant from json_array_elements_text($2::text::json) as wanted (object)
join file_variants v on v.project_id = $1::bigint and v.path = wanted.object
join files f on f.project_id = v.project_id and f.id = v.file_id`;
