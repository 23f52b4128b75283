import { addAbortSignal } from "node:stream";
import { type SettleUploadDeps, settleUpload } from "#files/settle/settle-upload.js";
import { bucketOf, storedEtagOf } from "#object-store/bucket-of.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { addMs, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { WorkTurn } from "#work/work-queue.js";
import {
  claimScans,
  giveBack,
  RENEW_INTERVAL_MS,
  renewClaim,
  retryLater,
  type ScanClaim,
} from "./claim-scan.js";
import { type FileReport, recordVerdicts } from "./record-verdict.js";
import { createEnds, findEncryption } from "./find-encryption.js";
import { ScanFailedError, type Scanner, type ScannerVerdict } from "./scanner.js";

export interface ScanWorkerDeps extends SettleUploadDeps {
  store: Pick<ObjectStore, "head" | "read" | "published">;
  scanner: Scanner;
  /** Called when the scan of one file fails. The file is scanned again later. */
  onError: (error: unknown, file?: { projectId: number; id: number }) => void;
  /** Ends the running scans. */
  stopping: AbortSignal;
}

/** A scan that takes longer has failed. */
const SCAN_LIMIT_MS = 10 * MINUTE_MS;
/** With the limit of bytes of work-kinds.ts, small files are scanned in a second or less. */
const FILES_PER_BATCH = 32;
const SCANS_AT_ONCE = 4;
/** Files of a batch that have not begun by then are given back, so that slow ones delay neither them nor other projects. */
const BATCH_LIMIT_MS = 10 * SECOND_MS;
/** Verdicts are written together, but none waits longer than this for slower files of its batch. */
const WRITE_INTERVAL_MS = SECOND_MS;

/**
 * Scans a batch of files of one project that wait for their scan. Nothing is claimed while the scanner is down.
 *
 * Only an answer of the scanner is a verdict. A failure is none, however often it repeats: the scanner's disk may be full, and then it
 * answers an error to each scan. The file stays pending, and the health page counts it.
 *
 * @param most how many files at most
 * @returns whether a file was due
 * @throws {ScannerDownError}; {@link StowageError} `unavailable`
 */
export async function scanNextFiles(
  deps: ScanWorkerDeps,
  turn: WorkTurn,
  most = FILES_PER_BATCH,
): Promise<boolean> {
  await deps.scanner.ping();
  const claims = await claimScans(deps, turn, most);
  if (claims.length === 0) return false;
  const { projectId } = claims[0]!;
  const writer = createVerdictWriter(deps, projectId);
  const scans = claims.map((claim) => holdClaim(deps, claim));
  const stop = () => scans.forEach(({ limit }) => limit.abort(deps.stopping.reason));
  deps.stopping.addEventListener("abort", stop);
  try {
    await forEachBounded(scans, SCANS_AT_ONCE, (scan) => scanOne(deps, scan, writer));
  } finally {
    deps.stopping.removeEventListener("abort", stop);
    scans.forEach(({ release }) => release());
    await writer.end().finally(() => turn.places?.give(projectId));
  }
  return !deps.stopping.aborted;
}

/** A claimed file, also before its scan begins. */
interface HeldClaim {
  claim: ScanClaim;
  /** Aborts when the claim is over, the worker stops, or the scan takes too long. */
  limit: AbortController;
  /** Its scan begins until then, or not at all. */
  startBy: Date;
  /** Lets the claim end with its lease. */
  release: () => void;
}

function holdClaim(deps: ScanWorkerDeps, claim: ScanClaim): HeldClaim {
  const limit = new AbortController();
  const renew = async () => {
    if (!(await renewClaim(deps, claim))) limit.abort(new ScanFailedError("the claim of the scan is over"));
  };
  const renewal = setInterval(() => void renew().catch(deps.onError), RENEW_INTERVAL_MS);
  const startBy = addMs(deps.clock(), BATCH_LIMIT_MS);
  return { claim, limit, startBy, release: () => clearInterval(renewal) };
}

async function scanOne(deps: ScanWorkerDeps, scan: HeldClaim, writer: VerdictWriter): Promise<void> {
  const { claim, limit, startBy, release } = scan;
  if (deps.stopping.aborted || deps.clock() > startBy) return giveBack(deps, claim);
  const timer = setTimeout(
    () => limit.abort(new ScanFailedError("the scan took longer than ten minutes")),
    SCAN_LIMIT_MS,
  );
  try {
    const verdict = await scanClaimed(deps, scan);
    // If the claim is over by now, this changes nothing.
    const report = { id: fileOf(claim).id, etag: claim.etag, claim: Number(claim.number) };
    if (verdict) writer.add({ ...verdict, ...report });
  } catch (error) {
    if (deps.stopping.aborted) return await giveBack(deps, claim);
    deps.onError(error, fileOf(claim));
    await retryLater(deps, claim);
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** @returns null if the object has other bytes than the recorded ones */
async function scanClaimed(
  deps: ScanWorkerDeps,
  { claim, limit: { signal } }: HeldClaim,
): Promise<ScannerVerdict | null> {
  const object = await bucketOf(deps.store, claim.place).read(claim.path, signal);
  // Other bytes than the recorded ones: this records them, and the file waits for its scan again.
  if (object?.etag !== storedEtagOf(claim)) {
    object?.body.destroy();
    await settleUpload(deps, claim.projectId, claim.path);
    // Only if the recorded bytes are still the claimed ones, for example because storage has no object.
    await retryLater(deps, claim);
    return null;
  }
  try {
    // Otherwise a scan would wait forever for storage that sends nothing more.
    addAbortSignal(signal, object.body);
    const ends = createEnds();
    const verdict = await deps.scanner.scan(checkSize(object.body, claim.size, ends.add), signal);
    // clamd does not report an encrypted container unless its settings say so.
    const encrypted = verdict.verdict === "clean" ? findEncryption(ends.read()) : null;
    return encrypted === null ? verdict : { verdict: "unscannable", signature: encrypted };
  } finally {
    object.body.destroy();
  }
}

interface VerdictWriter {
  add(report: FileReport): void;
  /** Writes the rest. @throws {StowageError} `unavailable`, also if an earlier write failed: the files are scanned again after their lease */
  end(): Promise<void>;
}

/** Writes verdicts of one project in few transactions. */
function createVerdictWriter(deps: ScanWorkerDeps, projectId: number): VerdictWriter {
  let waiting: FileReport[] = [];
  let written = Promise.resolve();
  const write = () => {
    written = written.then(async () => {
      const reports = waiting;
      waiting = [];
      if (reports.length > 0) await recordVerdicts(deps, projectId, reports);
    });
    // `end` throws it.
    written.catch(() => undefined);
    return written;
  };
  const timer = setInterval(() => void write(), WRITE_INTERVAL_MS);
  return {
    add: (report) => void waiting.push(report),
    end: () => {
      clearInterval(timer);
      return write();
    },
  };
}

const fileOf = ({ projectId, key }: ScanClaim) => ({ projectId, id: Number(key) });

/** A scan of some of the bytes would call the file clean. */
async function* checkSize(
  bytes: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of bytes) {
    sent += chunk.length;
    onChunk(chunk);
    yield chunk;
  }
  if (sent !== sizeBytes) throw new ScanFailedError(`storage sent ${sent} of ${sizeBytes} bytes`);
}
