import { addAbortSignal } from "node:stream";
import type { Signals } from "#db/signals.js";
import { type SettleUploadDeps, settleUpload } from "#files/settle/settle-upload.js";
import { bucketOf, storedEtagOf } from "#object-store/bucket-of.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { MINUTE_MS } from "#lib/time.js";
import type { WorkTurn } from "#work/work-queue.js";
import {
  claimScan,
  giveBack,
  RENEW_INTERVAL_MS,
  renewClaim,
  retryLater,
  type ScanClaim,
} from "./claim-scan.js";
import { recordVerdict } from "./record-verdict.js";
import { ScanFailedError, type Scanner } from "./scanner.js";

export interface ScanWorkerDeps extends SettleUploadDeps {
  store: Pick<ObjectStore, "head" | "read" | "published">;
  scanner: Scanner;
  signals: Pick<Signals, "mark">;
  /** Called when the scan of one file fails. The file is scanned again later. */
  onError: (error: unknown, file?: { projectId: number; id: number }) => void;
  /** Ends the running scans. */
  stopping: AbortSignal;
}

/** A scan that takes longer has failed. */
const SCAN_LIMIT_MS = 10 * MINUTE_MS;

/**
 * Scans one file that waits for its scan. Nothing is claimed while the scanner is down.
 *
 * Only an answer of the scanner is a verdict. A failure is none, however often it repeats: the scanner's disk may be full, and then it
 * answers an error to each scan. The file stays pending, and the health page counts it.
 *
 * @returns whether a file was due
 * @throws {ScannerDownError}; {@link StowageError} `unavailable`
 */
export async function scanNextFile(deps: ScanWorkerDeps, turn: WorkTurn): Promise<boolean> {
  deps.signals.mark("scan_worker");
  await deps.scanner.ping();
  deps.signals.mark("scanner");
  const claim = await claimScan(deps, turn);
  if (!claim) return false;
  try {
    await scanClaimed(deps, claim);
  } catch (error) {
    if (deps.stopping.aborted) {
      await giveBack(deps, claim);
      return false;
    }
    deps.onError(error, fileOf(claim));
    await retryLater(deps, claim);
  } finally {
    turn.places?.give(claim.projectId);
  }
  return true;
}

async function scanClaimed(deps: ScanWorkerDeps, claim: ScanClaim): Promise<void> {
  const limit = new AbortController();
  const signal = AbortSignal.any([deps.stopping, limit.signal]);
  const timer = setTimeout(
    () => limit.abort(new ScanFailedError("the scan took longer than ten minutes")),
    SCAN_LIMIT_MS,
  );
  const renew = async () => {
    if (!(await renewClaim(deps, claim))) limit.abort(new ScanFailedError("the claim of the scan is over"));
  };
  const renewal = setInterval(() => void renew().catch(deps.onError), RENEW_INTERVAL_MS);
  try {
    const object = await bucketOf(deps.store, claim.place).read(claim.path, signal);
    // Other bytes than the recorded ones: this records them, and the file waits for its scan again.
    if (object?.etag !== storedEtagOf(claim)) {
      object?.body.destroy();
      await settleUpload(deps, claim.projectId, claim.path);
      // Only if the recorded bytes are still the claimed ones, for example because storage has no object.
      await retryLater(deps, claim);
      return;
    }
    try {
      // Otherwise a scan would wait forever for storage that sends nothing more.
      addAbortSignal(signal, object.body);
      const verdict = await deps.scanner.scan(checkSize(object.body, claim.size), signal);
      // If the claim is over by now, this changes nothing.
      await recordVerdict(deps, fileOf(claim), { ...verdict, etag: claim.etag, claim: Number(claim.number) });
    } finally {
      object.body.destroy();
    }
  } finally {
    clearTimeout(timer);
    clearInterval(renewal);
  }
}

const fileOf = ({ projectId, key }: ScanClaim) => ({ projectId, id: Number(key) });

/** A scan of some of the bytes would call the file clean. */
async function* checkSize(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of bytes) {
    sent += chunk.length;
    yield chunk;
  }
  if (sent !== sizeBytes) throw new ScanFailedError(`storage sent ${sent} of ${sizeBytes} bytes`);
}
