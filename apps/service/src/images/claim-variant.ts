import type { Queries } from "#db/client.js";
import type { VariantFailure } from "@stowage/operator-schemas";
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { VariantParameters } from "./preset-parameters.js";

/** A variant that one worker makes. */
export interface VariantClaim {
  projectId: number;
  fileId: number;
  presetHash: string;
  sourceEtag: string;
  path: string;
  parameters: VariantParameters;
  /** A later claim of the same variant has a higher number, and ends this one. */
  number: number;
  /** Tries that failed before, for any reason. */
  failures: number;
  /** Those of them that ended in the decoder. */
  decoderFailures: number;
}

interface ClaimDeps {
  db: Queries;
  clock: () => Date;
}

/**
 * If a worker dies, another one makes its variant after this time. A living worker renews its claim. It is longer than a worker needs
 * from its last renewal to the end of the PUT, so no object is written after the lease.
 */
const LEASE_MS = MINUTE_MS;
export const RENEW_INTERVAL_MS = LEASE_MS / 3;
const FIRST_RETRY_MS = 15 * SECOND_MS;
/** Storage works again for all files at once, so no variant waits long after that. */
const MAX_STORAGE_RETRY_MS = 15 * MINUTE_MS;
/** An image may be the reason, so it takes the decoders of the others seldom. */
const MAX_DECODER_RETRY_MS = 4 * HOUR_MS;
/** With the pauses above, the last of these tries is a day after the first one: longer than a machine is busy, or short of memory. */
export const MAX_DECODER_FAILURES = 16;

/**
 * Claims a variant that waits. Workers go from project to project, so a project with a million waiting variants delays no other one by
 * more than one.
 *
 * @param afterProject the project whose variant was claimed last; 0 at first
 * @returns null if none is due
 * @throws {StowageError} `unavailable`
 */
export async function claimVariant(deps: ClaimDeps, afterProject: number): Promise<VariantClaim | null> {
  const now = deps.clock();
  let after = afterProject;
  let isSecondRound = after === 0;
  for (;;) {
    const [next] = await deps.db.execute<{ projectId: number }>(FIND_PROJECT, [after, now.toISOString()]);
    if (next) {
      after = next.projectId;
      const leaseUntil = addMs(now, LEASE_MS).toISOString();
      const [claim] = await deps.db.execute<VariantClaim>(CLAIM, [after, now.toISOString(), leaseUntil]);
      // Null: another worker has claimed the last one in the meantime.
      if (claim) return claim;
    } else if (isSecondRound) return null;
    else {
      isSecondRound = true;
      after = 0;
    }
  }
}

/** Keeps a claim. @returns false if it is over: another worker has it, or the variant is being removed */
export async function renewClaim(deps: ClaimDeps, claim: VariantClaim): Promise<boolean> {
  return moveClaim(deps, claim, addMs(deps.clock(), LEASE_MS));
}

/** Why a variant is tried again. */
export type RetriedFailure = Exclude<VariantFailure, "image">;

/** Gives a claim back after a failure. The pause grows with the failures. */
export async function retryLater(
  deps: ClaimDeps,
  claim: VariantClaim,
  failure: RetriedFailure,
): Promise<void> {
  const isStorage = failure === "storage";
  const earlier = isStorage ? claim.failures : claim.decoderFailures;
  const maxMs = isStorage ? MAX_STORAGE_RETRY_MS : MAX_DECODER_RETRY_MS;
  const pauseMs = Math.min(maxMs, FIRST_RETRY_MS * 2 ** Math.min(earlier, 20));
  const retryAt = addMs(deps.clock(), pauseMs).toISOString();
  await deps.db.execute(RETRY, [...keyOf(claim), retryAt, failure, isStorage ? 0 : 1]);
}

/** Gives a claim back without a failure, because the worker stops or has no decoder, or the file has to be scanned. */
export async function giveBack(deps: ClaimDeps, claim: VariantClaim, pauseMs = 0): Promise<void> {
  await moveClaim(deps, claim, addMs(deps.clock(), pauseMs));
}

async function moveClaim(deps: ClaimDeps, claim: VariantClaim, to: Date): Promise<boolean> {
  const rows = await deps.db.execute(MOVE, [...keyOf(claim), to.toISOString()]);
  return rows.length > 0;
}

/** The parameters of {@link OF_CLAIM}. */
export function keyOf(claim: VariantClaim): (string | number)[] {
  const { projectId, fileId, presetHash, sourceEtag, number } = claim;
  return [projectId, fileId, presetHash, sourceEtag, number];
}

/** Whether a row is that of a claim, and the claim is not over. */
export const OF_CLAIM = `
project_id = $1::bigint and file_id = $2::bigint and preset_hash = $3 and source_etag = $4 and claim = $5::integer
  and status = 'waiting'`;

/* Without locks, because Citus locks rows only on one shard. */
const FIND_PROJECT = `
select project_id as "projectId" from file_variants
where project_id > $1::bigint and status = 'waiting' and due_at <= $2::timestamptz
order by project_id, due_at limit 1`;

/** An array, because PostgreSQL may run a subquery after `in` once for each row, and would then claim several. */
const CLAIM = `
update file_variants set due_at = $3::timestamptz, claim = claim + 1
where project_id = $1::bigint and path = any(array(
  select path from file_variants
  where project_id = $1::bigint and status = 'waiting' and due_at <= $2::timestamptz
  order by due_at limit 1 for update skip locked))
returning project_id as "projectId", file_id as "fileId", preset_hash as "presetHash", source_etag as "sourceEtag", path, parameters,
  claim as number, failures, decoder_failures as "decoderFailures"`;

const MOVE = `update file_variants set due_at = $6::timestamptz where ${OF_CLAIM} returning path`;

const RETRY = `
update file_variants set due_at = $6::timestamptz, retry_at = $6::timestamptz, failure = $7, failures = failures + 1,
  decoder_failures = decoder_failures + $8::integer
where ${OF_CLAIM}`;
