import type { ScanVerdict } from "@stowage/schemas";
import { expect } from "vitest";
import { addMs, DAY_MS, SECOND_MS } from "#lib/time.js";
import { expectDownloadable } from "./lifecycle-invariants.js";
import type { Requested } from "./model.js";
import type { LifecycleOperation } from "./operations.js";
import { etagsOf, verdictOfClamd } from "./verdicts.js";

/** A call of the current step. All calls of a step run at the same time, so they are judged when the step is over. */
export interface Call {
  requested: Requested;
  /** A deletion of a tenant is a call of each of its files. */
  do: LifecycleOperation["do"] | "delete tenant";
  /** An error's code, or `done`. Null while it runs, and if its process or a worker was killed. */
  outcome: string | null;
  /** Whether the file was certainly stored, or in the trash, before the step. */
  wasStored: boolean;
  wasCancelled: boolean;
  /** Of the reported bytes. */
  etag?: string;
  verdict?: ScanVerdict;
  /** What a download answers. */
  sizeBytes?: number;
}

/** Time that one step takes at most. */
export const STEP_MS = 10 * SECOND_MS;
export const WRONG_ETAG = "0".repeat(32);

/**
 * Expects that the outcome of a call is possible.
 *
 * @param ofFile the calls of the same file in this step
 */
export function expectPossible(call: Call, ofFile: Call[], now: Date): void {
  const { requested, outcome } = call;
  if (outcome === null) return;
  const others = (...kinds: Call["do"][]) =>
    ofFile.some((other) => other !== call && kinds.includes(other.do));
  if (call.wasCancelled && call.do !== "delete tenant") {
    expect([call.do, outcome]).toEqual([call.do, "file_not_found"]);
  }
  const canDisappear = others("delete", "purge", "delete tenant");
  switch (call.do) {
    case "delete":
    case "purge":
      return expectHoldToRefuse(call, others("release"));
    case "delete tenant":
      if (call.wasStored && !canDisappear) expect(outcome).not.toBe("not_found");
      return expectHoldToRefuse(call, others("release"));
    case "restore":
      if (requested.project.settings.trashDays === 0) expect(outcome).toBe("file_not_found");
      if (!others("restore", "purge", "delete tenant") && isInTrash(requested, now))
        expect(outcome).toBe("done");
      return;
    case "hold":
      if (call.wasStored && !canDisappear) expect(outcome).toBe("done");
      return;
    case "release":
      if (requested.held !== null && !others("release"))
        expect(answersToRelease(requested)).toContain(outcome);
      return;
    case "report scan":
      return expectReport(call, canDisappear);
    case "download":
      return expectDownload(call, ofFile);
  }
}

function expectHoldToRefuse({ do: kind, outcome, requested }: Call, mayBeReleased: boolean): void {
  const { held, deleted } = requested;
  if (held === null || mayBeReleased) return;
  const mayBeInTrash = held === "trashed" || deleted !== null;
  const answers = kind === "delete" && mayBeInTrash ? ["file_on_hold", "file_not_found"] : ["file_on_hold"];
  expect(answers).toContain(outcome);
}

/** A release looks for the bytes of an upload that has not arrived. Another call may have deleted it by then. */
function answersToRelease({ held }: Requested): string[] {
  return held === "stored" || held === "trashed" ? ["done"] : ["done", "file_not_found"];
}

function isInTrash({ deleted, held, project }: Requested, now: Date): boolean {
  if (!deleted?.isInTrash) return false;
  const purgeAt = addMs(deleted.at, project.settings.trashDays * DAY_MS);
  return held !== null || now < addMs(purgeAt, -STEP_MS);
}

function expectReport({ requested, outcome, etag, wasStored }: Call, canDisappear: boolean): void {
  const isScanning = requested.project.settings.scan === "external";
  if (outcome === "done") expect({ isScanning, etag }).not.toMatchObject({ etag: WRONG_ETAG });
  if (outcome === "done") expect({ isScanning }).toEqual({ isScanning: true });
  // After only one PUT there is no doubt which bytes the file has.
  else if (isScanning && wasStored && !canDisappear && requested.putSizes.length === 1)
    expect([etag, outcome]).toEqual([WRONG_ETAG, "scan_outdated"]);
}

/** A download succeeds from the moment at which storage has accepted the PUT, without any other call. */
function expectDownload({ requested, outcome, sizeBytes, wasStored }: Call, ofFile: Call[]): void {
  const { deleted, putSizes, mayBeGone, verdicts, project } = requested;
  const { scan } = project.settings;
  if (outcome !== "done") {
    const answers = [
      ...(wasStored && !mayBeGone ? [] : ["file_not_found"]),
      ...(scan === "off" ? [] : ["file_not_scanned", "file_quarantined"]),
    ];
    return expect(answers).toContain(outcome);
  }
  expect(putSizes).toContain(sizeBytes);
  const mayBeRestored = ofFile.some((call) => call.do === "restore");
  expect({ isDeleted: deleted !== null && !mayBeRestored }).toEqual({ isDeleted: false });
  if (scan === "off") return;
  const possible = etagsOf(requested, sizeBytes!).flatMap((etag) =>
    scan === "clamav"
      ? [verdictOfClamd(requested, { etag, sizeBytes: sizeBytes! })]
      : [...(verdicts.get(etag) ?? []), ...reportsOf(ofFile, etag).map(({ verdict }) => verdict!)],
  );
  expectDownloadable(requested, possible);
}

export function reportsOf(calls: Call[], etag: string): Call[] {
  return calls.filter((call) => call.verdict !== undefined && call.etag === etag);
}
