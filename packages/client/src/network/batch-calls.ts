import type { Cancel, Runtime } from "../runtime.js";
import { UploadError } from "../upload-error.js";

export interface BatchCallsOptions<Input, Answer> {
  runtime: Pick<Runtime, "after">;
  /** What is known about the backend. Several functions for the same backend share it. */
  support: BatchSupport;
  callOne(input: Input, signal: AbortSignal): Promise<Answer>;
  /**
   * Makes one call for several inputs.
   *
   * @returns the answer or the error of each input, in the same order; null if the backend has no such call
   */
  callMany(inputs: Input[], signal: AbortSignal): Promise<(Answer | UploadError)[] | null>;
}

export interface BatchSupport {
  /** False once the backend has answered that it has no calls for several inputs. */
  takesBatches: boolean;
}

/** Inputs and characters of JSON in one call. The helper takes 100 files and 1 MiB, and a character has at most three bytes. */
const MAX_INPUTS = 100;
const MAX_CHARACTERS = 300_000;
/** An input waits at most this long for the call that is under way. */
const MAX_WAIT_MS = 100;
/** The number of calls at the same time, where calls take longer than that. */
const MAX_CALLS = 6;

interface Waiting<Input, Answer> {
  input: Input;
  signal: AbortSignal;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  /** Called when the signal aborts during a call. */
  onAbort?(): void;
}

/**
 * Shares calls between files. An input that comes while no call is under way gets a call of its own, immediately. Inputs that come
 * during a call wait until it ends, but at most 100 ms, and go together. Each input gets its own answer or error. If the whole call
 * fails, each of its inputs gets that error.
 *
 * @returns a function for one input. If its signal aborts, it throws the signal's reason, and the other inputs of its call continue
 */
export function batchCalls<Input extends object, Answer>({
  runtime,
  support,
  callOne,
  callMany,
}: BatchCallsOptions<Input, Answer>): (input: Input, signal: AbortSignal) => Promise<Answer> {
  const waiting = new Set<Waiting<Input, Answer>>();
  let runningCalls = 0;
  let cancelTimer: Cancel | null = null;

  function startWaiting() {
    cancelTimer?.();
    cancelTimer = null;
    if (waiting.size === 0 || runningCalls >= MAX_CALLS) return;
    void run(take());
    if (waiting.size > 0) cancelTimer = runtime.after(MAX_WAIT_MS, startWaiting);
  }

  function take(): Waiting<Input, Answer>[] {
    const taken: Waiting<Input, Answer>[] = [];
    let characters = 0;
    for (const one of waiting) {
      characters += JSON.stringify(one.input).length;
      if (taken.length === MAX_INPUTS || (taken.length > 0 && characters > MAX_CHARACTERS)) break;
      waiting.delete(one);
      taken.push(one);
    }
    return taken;
  }

  async function run(batch: Waiting<Input, Answer>[]) {
    runningCalls++;
    // A backend that was found to take no batches meanwhile gets single calls.
    if (batch.length === 1 || !support.takesBatches) await runSingly(batch);
    else await runTogether(batch);
    runningCalls--;
    startWaiting();
  }

  async function runSingly(batch: Waiting<Input, Answer>[]) {
    const calls = batch.map(({ input, signal, resolve, reject }) =>
      callOne(input, signal).then(resolve, reject),
    );
    await Promise.all(calls);
  }

  async function runTogether(batch: Waiting<Input, Answer>[]) {
    try {
      const inputs = batch.map(({ input }) => input);
      const outcomes = await callMany(inputs, signalOfAll(batch));
      if (outcomes === null) {
        support.takesBatches = false;
        return await runSingly(batch);
      }
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if (outcome instanceof UploadError) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (input, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const one: Waiting<Input, Answer> = { input, signal, resolve, reject };
      const onAbort = () => {
        waiting.delete(one);
        reject(signal.reason);
        one.onAbort?.();
      };
      signal.addEventListener("abort", onAbort);
      const settle =
        <Value>(settleWith: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener("abort", onAbort);
          settleWith(value);
        };
      one.resolve = settle(resolve);
      one.reject = settle(reject);
      if (!support.takesBatches) return void runSingly([one]);
      waiting.add(one);
      if (runningCalls === 0) startWaiting();
      else cancelTimer ??= runtime.after(MAX_WAIT_MS, startWaiting);
    });
}

/** Aborts when all inputs of a call are aborted, because no file needs the answer then. */
function signalOfAll(batch: Pick<Waiting<unknown, unknown>, "signal" | "onAbort">[]): AbortSignal {
  const controller = new AbortController();
  const onAbort = () => {
    if (batch.every(({ signal }) => signal.aborted)) controller.abort();
  };
  for (const one of batch) one.onAbort = onAbort;
  return controller.signal;
}
