import type { VariantFailure } from "@stowage/operator-schemas";
import { addMs, HOUR_MS } from "#lib/time.js";
import { workKinds } from "#work/work-kinds.js";
import { createWorkQueue, pauseAfter, type WorkClaim, type WorkDeps } from "#work/work-queue.js";
import type { VariantParameters } from "./preset-parameters.js";

interface Columns {
  fileId: number;
  presetHash: string;
  sourceEtag: string;
  path: string;
  parameters: VariantParameters;
  /** Those of the `failures` that ended in the decoder. */
  decoderFailures: number;
}

/** A variant that one worker makes. */
export type VariantClaim = WorkClaim & Columns;

const queue = createWorkQueue<Columns>(workKinds.variants);
export const claimVariant = queue.claimNext;
export const renewClaim = queue.renew;
/** Gives a claim back without a failure, because the worker stops or has no decoder, or the file has to be scanned. */
export const { giveBack } = queue;

/** A living worker renews its claim. */
export const RENEW_INTERVAL_MS = workKinds.variants.leaseMs / 3;
/** An image may be the reason, so it takes the decoders of the others seldom. */
const LONGEST_PAUSE_OF_DECODER_MS = 4 * HOUR_MS;
/** With the pauses above, the last of these tries is a day after the first one: longer than a machine is busy, or short of memory. */
export const MAX_DECODER_FAILURES = 16;

/** Why a variant is tried again. */
export type RetriedFailure = Exclude<VariantFailure, "image">;

/** Gives a claim back after a failure. The pause grows with the failures of its kind. */
export async function retryLater(
  deps: WorkDeps,
  claim: VariantClaim,
  failure: RetriedFailure,
): Promise<void> {
  const { pauses } = workKinds.variants;
  const isStorage = failure === "storage";
  const pauseMs = isStorage
    ? pauseAfter(claim.failures, pauses)
    : pauseAfter(claim.decoderFailures, { ...pauses, longestMs: LONGEST_PAUSE_OF_DECODER_MS });
  const retryAt = addMs(deps.clock(), pauseMs).toISOString();
  await deps.db.execute(RETRY, [...keyOf(claim), retryAt, failure, isStorage ? 0 : 1]);
}

/** The parameters of {@link OF_CLAIM}. */
export function keyOf(claim: VariantClaim): (string | number)[] {
  const { projectId, fileId, presetHash, sourceEtag, number } = claim;
  return [projectId, fileId, presetHash, sourceEtag, number];
}

/** Whether a row belongs to a claim that is not over. Also the ETag: a move may give the file another one. */
export const OF_CLAIM = `
project_id = $1::bigint and file_id = $2::bigint and preset_hash = $3 and source_etag = $4 and claim = $5::integer
  and status = 'waiting'`;

const RETRY = `
update file_variants set due_at = $6::timestamptz, retry_at = $6::timestamptz, failure = $7, failures = failures + 1,
  decoder_failures = decoder_failures + $8::integer
where ${OF_CLAIM}`;
