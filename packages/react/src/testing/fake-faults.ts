import { errorCatalogue, type ErrorCode } from "@stowage/schemas/errors";
import { type ClientErrorCode, UploadError, type UploadErrorCode } from "../core/upload-error.js";

export type FakeStep = "request" | "put" | "complete" | "delete" | "routes";

/** One call as the widget made it. */
export interface FakeCall {
  step: FakeStep;
  /** What went along, in the words of the wire; of a PUT its `file_path`. */
  body: Readonly<Record<string, unknown>>;
}

/** A call that waits until the test lets it go on. */
export interface FakeHold {
  /** Resolves when the widget has made the call. */
  readonly arrived: Promise<void>;
  /** Reports bytes of a PUT as sent. */
  progress(sentBytes: number): void;
  /** Lets the call be answered as it would have been. */
  release(): void;
  fail(failure: UploadErrorCode | UploadError): void;
}

type Fault = (signal: AbortSignal, onProgress: (sentBytes: number) => void) => Promise<void>;

/** What the next calls of each step run into, in the order in which a test asked for it. */
export function createFaults() {
  const waiting = new Map<FakeStep, Fault[]>();
  const push = (step: FakeStep, fault: Fault) => waiting.set(step, [...(waiting.get(step) ?? []), fault]);
  return {
    failNext(step: FakeStep, failure: UploadErrorCode | UploadError, times = 1): void {
      for (let time = 0; time < times; time++) push(step, () => Promise.reject(asError(failure)));
    },
    holdNext(step: FakeStep): FakeHold {
      const arrived = aPromise();
      const released = aPromise();
      // A hold that fails before its call came is still to be told to the call alone.
      released.promise.catch(() => {});
      let report: (sentBytes: number) => void = () => {};
      push(step, (signal, onProgress) => {
        report = onProgress;
        arrived.resolve();
        return untilAborted(released.promise, signal);
      });
      return {
        arrived: arrived.promise,
        progress: (sentBytes) => report(sentBytes),
        release: () => released.resolve(),
        fail: (failure) => released.reject(asError(failure)),
      };
    },
    async meet(step: FakeStep, signal: AbortSignal, onProgress: (sentBytes: number) => void): Promise<void> {
      await waiting.get(step)?.shift()?.(signal, onProgress);
    },
  };
}

/** As the helper, storage or a browser would say it: with its status and, where it has one, its sentence. */
export function asError(failure: UploadErrorCode | UploadError): UploadError {
  if (failure instanceof UploadError) return failure;
  if (failure in errorCatalogue) return new UploadError(failure, errorCatalogue[failure as ErrorCode]);
  return new UploadError(failure, { status: clientStatuses[failure as ClientErrorCode] ?? 0 });
}

const clientStatuses: Partial<Record<ClientErrorCode, number>> = {
  storage_refused: 400,
  storage_unavailable: 503,
  request_refused: 400,
  unexpected_answer: 200,
};

/** A promise and its two ends; `Promise.withResolvers` is younger than the oldest Node that we run on. */
function aPromise() {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve, reject };
}

/** The promise, or a rejection with the signal's reason, whichever comes first. */
function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
