import type { Visibility } from "@stowage/schemas";
import type { ScanSetting } from "@stowage/operator-schemas";
import type { Queries } from "#db/client.js";
import { addMs, HOUR_MS, SECOND_MS } from "#lib/time.js";

/** A file that one worker scans. */
export interface ScanClaim {
  projectId: number;
  id: number;
  path: string;
  etag: string;
  place: Visibility;
  publishedEtag: string | null;
  size: number;
  /** A later claim of the same file has a higher number, and ends this one. */
  number: number;
  /** Scans that failed before. */
  failures: number;
}

interface ClaimDeps {
  db: Queries;
  clock: () => Date;
}

/** If a worker dies, another one scans its file after this time. A living worker renews its claim. */
const LEASE_MS = 60 * SECOND_MS;
export const RENEW_INTERVAL_MS = LEASE_MS / 3;
const FIRST_RETRY_MS = 15 * SECOND_MS;
const MAX_RETRY_MS = HOUR_MS;
const UNQUEUE_BATCH = 1000;

/**
 * Claims a file that waits for its scan. Workers go from project to project, so a project with a million waiting files delays no other
 * one by more than one file.
 *
 * @param afterProject the project whose file was claimed last; 0 at first
 * @returns null if no file is due
 * @throws {StowageError} `unavailable`
 */
export async function claimScan(deps: ClaimDeps, afterProject: number): Promise<ScanClaim | null> {
  const now = deps.clock().toISOString();
  let after = afterProject;
  let isSecondRound = after === 0;
  for (;;) {
    const [next] = await deps.db.execute<{ projectId: number; scan: ScanSetting }>(FIND_PROJECT, [
      after,
      now,
    ]);
    if (!next) {
      if (isSecondRound) return null;
      isSecondRound = true;
      after = 0;
      continue;
    }
    after = next.projectId;
    // The project has changed its setting since the file was queued.
    if (next.scan !== "clamav") await deps.db.execute(UNQUEUE, [after, now]);
    else {
      const leaseUntil = addMs(deps.clock(), LEASE_MS).toISOString();
      const [claim] = await deps.db.execute<ScanClaim>(CLAIM, [after, now, leaseUntil]);
      if (claim) return claim;
      await deps.db.execute(UNQUEUE_OTHERS, [after, now]);
    }
  }
}

/** Keeps a claim while its scan runs. @returns false if the claim is over, for example because another worker has claimed the file */
export function renewClaim(deps: ClaimDeps, claim: ScanClaim): Promise<boolean> {
  return moveClaim(deps, claim, addMs(deps.clock(), LEASE_MS));
}

/** Gives a claim back after a failure. The pause grows with the failures, up to an hour. There is no last attempt. */
export async function retryLater(deps: ClaimDeps, claim: ScanClaim): Promise<void> {
  const pauseMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(claim.failures, 20));
  await moveClaim(deps, claim, addMs(deps.clock(), pauseMs), 1);
}

/** Gives a claim back at once, because the worker stops. */
export async function giveBack(deps: ClaimDeps, claim: ScanClaim): Promise<void> {
  await moveClaim(deps, claim, deps.clock());
}

async function moveClaim(
  deps: ClaimDeps,
  { projectId, id, number }: ScanClaim,
  to: Date,
  failures = 0,
): Promise<boolean> {
  const rows = await deps.db.execute(MOVE, [projectId, id, number, to.toISOString(), failures]);
  return rows.length > 0;
}

/* Without locks, because Citus locks rows only on one shard. */
const FIND_PROJECT = `
select f.project_id as "projectId", case when p.deleted_at is null then p.scan::text else 'off' end as scan
from files f join projects p on p.id = f.project_id
where f.project_id > $1::bigint and f.scan_due_at <= $2::timestamptz order by f.project_id, f.scan_due_at limit 1`;

/** An array, because PostgreSQL may run a subquery after `in` once for each row, and would then claim several files. */
const CLAIM = `
update files set scan_due_at = $3::timestamptz, scan_claim = scan_claim + 1
where project_id = $1::bigint and id = any(array(
  select id from files
  where project_id = $1::bigint and scan_due_at <= $2::timestamptz and status in ('stored', 'trashed') and etag <> ''
  order by scan_due_at limit 1 for update skip locked))
returning project_id as "projectId", id, path, etag, place, published_etag as "publishedEtag", size, scan_claim as number, scan_failures as failures`;

const UNQUEUE = `
update files set scan_due_at = null
where project_id = $1::bigint and id in (
  select id from files where project_id = $1::bigint and scan_due_at <= $2::timestamptz limit ${UNQUEUE_BATCH}
  for update skip locked)`;

/** Files that have no object any more. If they get one, they are queued again. */
const UNQUEUE_OTHERS = `
update files set scan_due_at = null
where project_id = $1::bigint and id in (
  select id from files
  where project_id = $1::bigint and scan_due_at <= $2::timestamptz and status not in ('stored', 'trashed')
  limit ${UNQUEUE_BATCH} for update skip locked)`;

const MOVE = `
update files set scan_due_at = $4::timestamptz, scan_failures = scan_failures + $5::integer
where project_id = $1::bigint and id = $2::bigint and scan_claim = $3::integer and scan_due_at is not null
returning id`;
