import { errorCatalogue, type ErrorCode } from "@stowage/schemas/errors";
import { type ClientErrorCode, UploadError, type UploadErrorCode } from "../upload-error.js";

/** A step of an upload that a test can make slow or let fail. */
export type FakeStep =
  | "request"
  | "put"
  | "signParts"
  | "listParts"
  | "putPart"
  | "complete"
  | "cancel"
  | "discard"
  | "delete"
  | "restore"
  | "update"
  | "folders"
  | "moveFolder"
  | "deleteFolder"
  | "job"
  | "open"
  | "list"
  | "usage"
  | "download"
  | "downloads"
  | "share"
  | "links"
  | "revoke"
  | "versions"
  | "restoreVersion"
  | "routes";

/** One call that the widget has made. */
export interface FakeCall {
  step: FakeStep;
  /** The body of the call in its wire format; `file_path` for a PUT, and `number` for the PUT of a part. */
  body: Readonly<Record<string, unknown>>;
}

/** A call that waits until the test releases it. */
export interface FakeHold {
  /** Resolves when the widget has made the call. */
  readonly arrived: Promise<void>;
  /** Reports this many bytes of a PUT as sent. */
  progress(sentBytes: number): void;
  /** Lets the call continue as if it had not been held. */
  release(): void;
  fail(failure: UploadErrorCode | UploadError): void;
}

type Fault = (signal: AbortSignal, onProgress: (sentBytes: number) => void) => Promise<void>;

/** Makes the next calls of a step fail or wait, in the order in which the test asked for it. */
export function createFaultInjection() {
  const queues = new Map<FakeStep, Fault[]>();
  const enqueue = (step: FakeStep, fault: Fault) => {
    queues.set(step, [...(queues.get(step) ?? []), fault]);
  };
  return {
    failNext(step: FakeStep, failure: UploadErrorCode | UploadError, times = 1): void {
      for (let time = 0; time < times; time++) enqueue(step, () => Promise.reject(toError(failure)));
    },

    holdNext(step: FakeStep): FakeHold {
      const arrived = createDeferred();
      const released = createDeferred();
      // A hold may fail before its call arrives. Node must not report that as an unhandled rejection.
      released.promise.catch(() => {});
      let report: (sentBytes: number) => void = () => {};
      enqueue(step, (signal, onProgress) => {
        report = onProgress;
        arrived.resolve();
        return untilAborted(released.promise, signal);
      });
      return {
        arrived: arrived.promise,
        progress: (sentBytes) => report(sentBytes),
        release: () => released.resolve(),
        fail: (failure) => released.reject(toError(failure)),
      };
    },

    /** Applies the next fault of a step, if there is one. */
    async apply(step: FakeStep, signal: AbortSignal, onProgress: (sentBytes: number) => void): Promise<void> {
      await queues.get(step)?.shift()?.(signal, onProgress);
    },
  };
}

/** Turns a code into the error that the helper, storage or the browser would throw, with its status and message. */
export function toError(failure: UploadErrorCode | UploadError): UploadError {
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

/** `Promise.withResolvers` does this, but the oldest supported Node does not have it. */
function createDeferred() {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve, reject };
}

/** Settles as the promise does, or rejects with the signal's reason when that aborts first. */
function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
