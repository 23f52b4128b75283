import type { ClockCheck } from "#health/clock-check.js";
import { DECODER_CHECK_INTERVAL_MS } from "#health/decoder-health.js";
import type { Signals } from "#db/signals.js";
import type { DecoderState } from "#images/decode/decoder.js";
import { makeNextVariant, type MakeVariantDeps } from "#images/make-variant.js";
import { reviseVerdicts } from "#images/revise-verdicts.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { scopeOf, type Storages } from "#projects/storages.js";
import { scanNextFiles, type ScanWorkerDeps } from "#scans/scan-worker.js";
import type { Scanner } from "#scans/scanner.js";
import { createPlaces } from "#work/places.js";
import { type Job, repeat } from "./repeat.js";

/** How many batches of files of one storage a worker scans at the same time. The third is of another project than the first two. */
const MAX_CONCURRENT_BATCHES = 3;
/** While one image is decoded, the next one is read and the last one is written. */
const VARIANTS_PER_DECODER = 2;
/** The pause while no file waits for its scan, and no variant to be made. */
const IDLE_MS = SECOND_MS;
const REPORT_INTERVAL_MS = 10 * SECOND_MS;
/** The health says after 8 seconds without an answer that the scanner is down: see health/check-readiness.ts. */
const SCANNER_CHECK_INTERVAL_MS = 2 * SECOND_MS;
/** Workers of an older version may still run. */
const REVISE_INTERVAL_MS = MINUTE_MS;

type SharedDeps = Omit<MakeVariantDeps, "stopping" | "onError" | "onEnd" | "signals" | "store"> &
  Omit<ScanWorkerDeps, "stopping" | "onError" | "scanner" | "store">;

export interface WorkerJobsDeps extends SharedDeps {
  storages: Storages;
  signals: Signals;
  clockCheck: Pick<ClockCheck, "requireRightClock">;
  /** Null: this worker does not scan. */
  scanner: Scanner | null;
  onScanError: ScanWorkerDeps["onError"];
  /** How many images of one project this worker decodes at the same time. The decoder has a process more, for another project. */
  decoders: number;
  onVariantError: MakeVariantDeps["onError"];
  onVariantEnd: MakeVariantDeps["onEnd"] | undefined;
  /** Called with each state of the decoder that is not good, at the start and then every half minute. */
  onDecoderProblem: (state: DecoderState) => void;
}

/** Starts what `stowage worker` does. Several workers may run at the same time. */
export function startWorkerJobs(deps: WorkerJobsDeps): Job {
  const stopping = new AbortController();
  const jobs = [
    // Each storage has places of its own, so that one that is down holds up no other.
    ...deps.storages.all.flatMap((storage) => {
      const ofStorage = { ...deps, store: storage.store, scope: scopeOf(deps.storages, storage) };
      return [...startScans(ofStorage, stopping.signal), ...startVariants(ofStorage, stopping.signal)];
    }),
    ...startScannerChecks(deps),
    repeat(() => reviseVerdicts(deps), REVISE_INTERVAL_MS, deps.onVariantError),
    startDecoderChecks(deps, stopping.signal),
    repeat(() => deps.signals.flush().then(() => false), REPORT_INTERVAL_MS, deps.onVariantError),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

type StorageDeps = WorkerJobsDeps & { store: ObjectStore };

function startScans({ scanner, onScanError, ...deps }: StorageDeps, stopping: AbortSignal): Job[] {
  if (!scanner) return [];
  const turn = { afterProject: 0, places: createPlaces<number>(MAX_CONCURRENT_BATCHES) };
  const scan = () => scanNextFiles({ ...deps, scanner, onError: onScanError, stopping }, turn);
  return startTimes(MAX_CONCURRENT_BATCHES, whenClockIsRight(deps, scan), onScanError);
}

/** Tells when the scanner last answered, also while all places have slow files. A failure is left to the scans to report. */
function startScannerChecks({ scanner, signals, onScanError }: WorkerJobsDeps): Job[] {
  if (!scanner) return [];
  const check = async () => {
    signals.mark("scan_worker");
    await scanner.ping().then(
      () => signals.mark("scanner"),
      () => undefined,
    );
    await signals.flush();
    return false;
  };
  return [repeat(check, SCANNER_CHECK_INTERVAL_MS, onScanError)];
}

function startVariants(deps: StorageDeps, stopping: AbortSignal): Job[] {
  const { onVariantEnd: onEnd, onVariantError: onError } = deps;
  const places = deps.decoders * VARIANTS_PER_DECODER + 1;
  const turn = { afterProject: 0, places: createPlaces<number>(places) };
  const make = () => makeNextVariant({ ...deps, onError, ...(onEnd && { onEnd }), stopping }, turn);
  return startTimes(places, whenClockIsRight(deps, make), onError);
}

/** Storage refuses what a wrong clock signs, and each file would fail for the last time. */
const whenClockIsRight =
  ({ clockCheck }: Pick<WorkerJobsDeps, "clockCheck">, run: () => Promise<boolean>) =>
  async () => {
    await clockCheck.requireRightClock();
    return run();
  };

/** Without it, a worker whose decoders do not start would look as if it had nothing to do. */
function startDecoderChecks(deps: WorkerJobsDeps, stopping: AbortSignal): Job {
  const check = async () => {
    const state = await deps.decoder.check(stopping);
    if (stopping.aborted) return false;
    if (state.problem !== null) deps.signals.mark("image_decoder_failure", state.problem);
    if (!state.isMemoryLimited) deps.signals.mark("image_decoder_unlimited");
    if (state.problem !== null || !state.isMemoryLimited) deps.onDecoderProblem(state);
    return false;
  };
  return repeat(check, DECODER_CHECK_INTERVAL_MS, deps.onVariantError);
}

function startTimes(count: number, run: () => Promise<boolean>, onError: (error: unknown) => void): Job[] {
  return Array.from({ length: count }, () => repeat(run, IDLE_MS, onError));
}
