import { addAbortSignal } from "node:stream";
import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { columnList, createRowParser } from "#db/raw-rows.js";
import { files } from "#db/schema/index.js";
import { type SettleUploadDeps, settleUpload } from "#files/settle/settle-upload.js";
import { bucketOf, storedEtagOf } from "#object-store/bucket-of.js";
import { requestPublication } from "#variants/copies.js";
import type { Signals } from "#db/signals.js";
import { addMs, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { WorkTurn } from "#work/work-queue.js";
import type { ByteRange, ObjectStore } from "#object-store/object-store.js";
import { requireClean } from "#scans/require-clean.js";
import type { ScanPolicy } from "#projects/scan-policy.js";
import {
  claimVariant,
  giveBack,
  MAX_DECODER_FAILURES,
  RENEW_INTERVAL_MS,
  renewClaim,
  retryLater,
  type VariantClaim,
} from "./claim-variant.js";
import type { Decoder } from "./decode/decoder.js";
import { DecoderFailedError } from "./decode/process.js";
import { UnreadableFilmError } from "./film/read-film.js";
import { endVariant, recordFailed, recordImage, recordReady } from "./record-variant.js";
import { sniffImage } from "./sniff-image.js";
import { type DecodableFormat, sourceFormats } from "./source-formats.js";

/** @returns an image of a film; null for other bytes @throws {UnreadableFilmError} @throws {DecoderFailedError} */
export type PosterMaker = (
  sizeBytes: number,
  read: (range: ByteRange) => Promise<Buffer>,
  signal: AbortSignal,
) => Promise<Buffer | null>;

export interface MakeVariantDeps extends SettleUploadDeps {
  store: Pick<ObjectStore, "head" | "read" | "write" | "remove" | "published">;
  decoder: Decoder;
  /** The operator switched these off. */
  formatsOff: readonly DecodableFormat[];
  /** Makes a picture of a film. Null: there is no FFmpeg, so a film is read as any other file. */
  posters: PosterMaker | null;
  signals: Pick<Signals, "mark">;
  /** Called when a variant could not be made now, and when other work failed, which is then repeated. */
  onError: (error: unknown, variant?: FailedTry) => void;
  /** Called when a try has ended. */
  onEnd?: (outcome: VariantOutcome, seconds: number) => void;
  /** Ends the running work. */
  stopping: AbortSignal;
}

/**
 * `ended`: the file was deleted, or has other bytes. `failed`: it is tried again. `gave_up`: only an operator can have it tried again.
 * `no_decoder`: this worker cannot decode, and another one may make it.
 */
export const variantOutcomes = [
  "made",
  "impossible",
  "waits_for_scan",
  "ended",
  "failed",
  "gave_up",
  "no_decoder",
] as const;
export type VariantOutcome = (typeof variantOutcomes)[number];

/** A variant that could not be made. It is tried again, unless the outcome is `gave_up`. */
export interface FailedTry {
  file: { projectId: number; id: number };
  outcome: VariantOutcome;
}

/** What the places of a worker share. */
export interface VariantTurn extends WorkTurn {
  /** No decoder starts, so the worker claims nothing until then. */
  pausedUntil?: Date;
}

/** A larger file is not read. Photos have some megabytes. */
const MAX_INPUT_BYTES = 64 * 1024 ** 2;
/** Storage that sends nothing more ends a try. The decoder has limits of its own. */
const READ_LIMIT_MS = 2 * MINUTE_MS;
const SCAN_PAUSE_MS = 10 * SECOND_MS;
const NO_DECODER_PAUSE_MS = 10 * SECOND_MS;

/**
 * Makes one variant that waits.
 *
 * @returns whether one was due
 * @throws {StowageError} `unavailable`
 */
export async function makeNextVariant(deps: MakeVariantDeps, turn: VariantTurn): Promise<boolean> {
  deps.signals.mark("image_worker");
  if (turn.pausedUntil && deps.clock() < turn.pausedUntil) return false;
  const claim = await claimVariant(deps, turn);
  if (!claim) return false;
  const startedAt = performance.now();
  let outcome: VariantOutcome = "failed";
  try {
    outcome = await makeClaimed(deps, claim);
  } catch (error) {
    if (deps.stopping.aborted) {
      await giveBack(deps, claim);
      return false;
    }
    try {
      outcome = await recordFailure(deps, claim, error);
    } finally {
      deps.onError(error, { file: { projectId: claim.projectId, id: claim.fileId }, outcome });
    }
  } finally {
    turn.places?.give(claim.projectId);
    deps.onEnd?.(outcome, (performance.now() - startedAt) / 1000);
  }
  if (outcome !== "no_decoder") return true;
  turn.pausedUntil = addMs(deps.clock(), NO_DECODER_PAUSE_MS);
  return false;
}

async function recordFailure(
  deps: MakeVariantDeps,
  claim: VariantClaim,
  error: unknown,
): Promise<VariantOutcome> {
  if (!(error instanceof DecoderFailedError)) {
    await retryLater(deps, claim, "storage");
    return "failed";
  }
  if (error.kind === "unavailable") {
    await giveBack(deps, claim);
    return "no_decoder";
  }
  if (claim.decoderFailures + 1 >= MAX_DECODER_FAILURES) {
    await recordFailed(deps, claim, { failure: error.kind, reason: error.message });
    return "gave_up";
  }
  await retryLater(deps, claim, error.kind);
  return "failed";
}

async function makeClaimed(deps: MakeVariantDeps, claim: VariantClaim): Promise<VariantOutcome> {
  const claimOver = new AbortController();
  const signal = AbortSignal.any([deps.stopping, claimOver.signal]);
  const renewal = setInterval(() => {
    renewClaim(deps, claim).then((isMine) => isMine || claimOver.abort(), deps.onError);
  }, RENEW_INTERVAL_MS);
  try {
    const file = await findSource(deps, claim);
    if (!file) {
      await endVariant(deps, claim);
      return "ended";
    }
    if (file === "not scanned") {
      await giveBack(deps, claim, SCAN_PAUSE_MS);
      return "waits_for_scan";
    }
    const read = (range?: ByteRange) => readSource(deps, claim, file, { stopping: signal, range });
    const poster = isFilmType(file.contentType) ? await deps.posters?.(file.size, read, signal) : null;
    if (!poster && file.size > MAX_INPUT_BYTES) return await refuse(deps, claim, "the file is too large");
    const bytes = poster ?? (await read());
    const format = sniffImage(bytes);
    if (!format) return await refuse(deps, claim, "not an image");
    if (deps.formatsOff.includes(format))
      return await refuse(deps, claim, `${sourceFormats[format].name} is switched off`);
    // An earlier variant of the same bytes may have recorded it. A film is no image.
    const isDescribed = !poster && file.image?.etag !== file.etag;
    const request = { bytes, format, parameters: claim.parameters, isDescribed };
    const answer = await deps.decoder.decode(request, signal, claim.projectId);
    if (!answer.ok) return await refuse(deps, claim, answer.reason);
    if (answer.image) await recordImage(deps, claim, answer.image);
    // The lease is new, so the PUT has ended before another worker may claim the variant.
    if (!(await renewClaim(deps, claim))) return "ended";
    await deps.store.write(claim.path, answer.bytes, answer.contentType);
    await recordReady(deps, claim, { size: answer.bytes.length, contentType: answer.contentType });
    await requestPublication(deps, { projectId: claim.projectId, id: claim.fileId });
    return "made";
  } catch (error) {
    if (claimOver.signal.aborted || error instanceof SourceChangedError) return "ended";
    if (error instanceof UnreadableFilmError) return await refuse(deps, claim, error.message);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function refuse(deps: MakeVariantDeps, claim: VariantClaim, reason: string): Promise<"impossible"> {
  await recordFailed(deps, claim, { failure: "image", reason });
  return "impossible";
}

const isFilmType = (contentType: string) => /^video\//i.test(contentType);

type Source = typeof files.$inferSelect & { size: number };

/** Finds the file, if its bytes may be handed out. */
async function findSource(
  deps: MakeVariantDeps,
  claim: VariantClaim,
): Promise<Source | "not scanned" | null> {
  const found = await readFile(deps.db, claim);
  if (!found) return null;
  const { file, policy } = found;
  if (file.status !== "stored" || file.size === null || file.etag !== claim.sourceEtag) return null;
  if (file.expiresAt !== null && file.expiresAt <= deps.clock()) return null;
  try {
    await requireClean(deps, policy, file);
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    if (error.code === "file_not_scanned") return "not scanned";
    if (error.code === "file_quarantined" || error.code === "file_not_found") return null;
    throw error;
  }
  return { ...file, size: file.size };
}

const parseFile = createRowParser(files);

async function readFile(db: Queries, { projectId, fileId }: VariantClaim) {
  const [row] = await db.execute<ScanPolicy & Record<string, unknown>>(READ_FILE, [projectId, fileId]);
  return row && { file: parseFile(row), policy: row };
}

/** Joins the project, because another statement for its scan policy would be one round trip more for each variant. */
const READ_FILE = `
select ${columnList(files, "f")}, p.scan, p.allow_unscannable as "allowUnscannable"
from files f join projects p on p.id = f.project_id
where f.project_id = $1::bigint and f.id = $2::bigint`;

/** Storage has other bytes than the recorded ones. They are recorded then, which ends the variant. */
class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
}

/** @throws {SourceChangedError} */
async function readSource(
  deps: MakeVariantDeps,
  claim: VariantClaim,
  file: Source,
  { stopping, range }: { stopping: AbortSignal; range: ByteRange | undefined },
): Promise<Buffer> {
  const { path } = file;
  const size = range?.length ?? file.size;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_LIMIT_MS)]);
  const object = await bucketOf(deps.store, file.place).read(path, signal, range);
  if (object?.etag !== storedEtagOf(file)) {
    object?.body.destroy();
    await settleUpload(deps, claim.projectId, path);
    // Only if the recorded bytes are still the claimed ones, for example because storage has no object.
    await retryLater(deps, claim, "storage");
    throw new SourceChangedError();
  }
  try {
    // Otherwise a try would wait for storage that sends nothing more.
    addAbortSignal(signal, object.body);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of object.body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > size) break;
      chunks.push(chunk);
    }
    if (length !== size) throw new Error(`storage sent ${length} of ${size} bytes`);
    return Buffer.concat(chunks, length);
  } finally {
    object.body.destroy();
  }
}
