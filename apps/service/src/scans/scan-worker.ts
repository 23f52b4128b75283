import { addAbortSignal } from "node:stream";
import type { Signals } from "#health/signals.js";
import { type SettleUploadDeps, settleUpload } from "#files/settle/settle-upload.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { MINUTE_MS } from "#lib/time.js";
import {
  claimScan,
  giveBack,
  RENEW_INTERVAL_MS,
  renewClaim,
  retryLater,
  type ScanClaim,
} from "./claim-scan.js";
import { recordVerdict } from "./record-verdict.js";
import { ScanFailedError, type Scanner, type ScannerVerdict } from "./scanner.js";

export interface ScanWorkerDeps extends SettleUploadDeps {
  store: Pick<ObjectStore, "head" | "read">;
  scanner: Scanner;
  signals: Pick<Signals, "mark">;
  /** Called when the scan of one file fails. The file is scanned again later. */
  onError: (error: unknown) => void;
  /** Ends the running scans. */
  stopping: AbortSignal;
}

/** A scan that takes longer has failed. */
const SCAN_LIMIT_MS = 10 * MINUTE_MS;
/**
 * If the scanner fails at this attempt or a later one, although it answers, the file cannot be scanned. Attempts that failed for
 * another reason count too.
 */
const LAST_ATTEMPT = 5;

/** One place of the worker. The places of a worker share where they are among the projects. */
export interface ScanTurn {
  afterProject: number;
}

/**
 * Scans one file that waits for its scan. Nothing is claimed while the scanner is down, so files stay pending and keep their attempts.
 *
 * @returns whether a file was due
 * @throws {ScannerDownError}; {@link StowageError} `unavailable`
 */
export async function scanNextFile(deps: ScanWorkerDeps, turn: ScanTurn): Promise<boolean> {
  deps.signals.mark("scan_worker");
  await deps.scanner.ping();
  deps.signals.mark("scanner");
  const claim = await claimScan(deps, turn.afterProject);
  turn.afterProject = claim?.projectId ?? 0;
  if (!claim) return false;
  try {
    await scanClaimed(deps, claim);
  } catch (error) {
    if (deps.stopping.aborted) {
      await giveBack(deps, claim);
      return false;
    }
    deps.onError(error);
    if (error instanceof ScanFailedError && claim.attempts >= LAST_ATTEMPT && (await answers(deps.scanner)))
      await record(deps, claim, { verdict: "unscannable", signature: "the scanner failed" });
    else await retryLater(deps, claim);
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
  const renewal = setInterval(() => void renewClaim(deps, claim).catch(deps.onError), RENEW_INTERVAL_MS);
  try {
    const object = await deps.store.read(claim.path, signal);
    // Other bytes than the recorded ones: this records them, and the file waits for its scan again.
    if (object?.etag !== claim.etag) {
      object?.body.destroy();
      await settleUpload(deps, claim.projectId, claim.path);
      if (!object) await retryLater(deps, claim);
      return;
    }
    try {
      // Otherwise a scan would wait forever for storage that sends nothing more.
      addAbortSignal(signal, object.body);
      await record(deps, claim, await deps.scanner.scan(object.body, signal));
    } finally {
      object.body.destroy();
    }
  } finally {
    clearTimeout(timer);
    clearInterval(renewal);
  }
}

/** The verdict is about the bytes that storage sent. If the file has others by now, it waits for another scan already. */
async function record(deps: ScanWorkerDeps, claim: ScanClaim, verdict: ScannerVerdict): Promise<void> {
  await recordVerdict(deps, claim, { ...verdict, etag: claim.etag });
}

async function answers(scanner: Scanner): Promise<boolean> {
  return scanner.ping().then(
    () => true,
    () => false,
  );
}
