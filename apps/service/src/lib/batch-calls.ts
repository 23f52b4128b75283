import { StowageError } from "@stowage/schemas";
import { CallShares } from "./call-shares.js";
import { OwnerQueues } from "./owner-queues.js";
import { isTemporary } from "./temporary-error.js";

export interface BatchCallsOptions<Input> {
  /** Returns who causes an input. Calls take the inputs of several owners in turns. */
  ownerOf(input: Input): string;
  maxConcurrentCalls: number;
  /**
   * In how many running calls one owner may have inputs. Less than `maxConcurrentCalls` keeps a call free for other owners, which then
   * do not wait for the calls of an owner that floods. Does not limit separate calls.
   *
   * @default `maxConcurrentCalls`
   */
  maxConcurrentCallsPerOwner?: number | undefined;
  /**
   * While it returns true, each call has the inputs of one owner only, and `maxConcurrentSeparateCalls` may run. The failure of a
   * call then concerns one owner.
   *
   * @default never
   */
  isSeparate?: (() => boolean) | undefined;
  /** @default `maxConcurrentCalls` */
  maxConcurrentSeparateCalls?: number | undefined;
  /** How many inputs one call may have. */
  maxBatchSize: number;
  /**
   * The same while several owners send inputs. The calls are shorter then, so the next input of another owner waits for less time.
   *
   * @default `maxBatchSize`
   */
  maxSharedBatchSize?: number | undefined;
  /**
   * While several owners send inputs, an owner with so many inputs in running calls waits until one of them has ended: the calls of an
   * owner that floods then follow each other, instead of competing with a call of another owner.
   *
   * @default no limit
   */
  maxSharedInputsPerOwner?: number | undefined;
  /** Further inputs are refused immediately. */
  maxQueueLength: number;
  /** Further inputs of one owner are refused immediately. */
  maxQueueLengthPerOwner: number;
  /**
   * How long one input may take, including the wait in the queue. An input that has waited for most of this time is refused and not
   * started any more: a call should not take effect after its caller has given up.
   */
  timeoutMs: number;
  /**
   * Whether a call failed because one of its inputs had to wait for a lock for too long. Such a call must not have had an effect. The
   * owners of its inputs then get calls of their own, one after the other, so that they do not block the other owners, until a
   * call of theirs ends in time. @default never
   */
  isBlocked?: (error: unknown) => boolean;
  /** Follows the inputs, for example to trace them. @default none */
  observer?: BatchObserver | undefined;
}

/** Follows inputs that share calls. */
export interface BatchObserver {
  /** An input arrives, in the async context of its caller. */
  onInput(): ObservedInput;
  /** Runs one call with these inputs. Without an observer, a call runs in the async context of any of its inputs. */
  onCall<T>(inputs: ObservedInput[], run: () => Promise<T>): Promise<T>;
}

export interface ObservedInput {
  /** The input has its output, or its error. */
  end(error?: unknown): void;
}

interface QueuedInput<Input, Output> {
  input: Input;
  observed: ObservedInput | undefined;
  owner: string;
  isSettled: boolean;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

const RETRY_AFTER_SECONDS = 2;
const RETRY_AFTER_OWN_BOUND_SECONDS = 1;
/** An input that has waited for more than this share of its time is not started any more. */
const LATEST_START = 0.8;

/**
 * Turns a function for many inputs into a function for one: inputs that arrive while calls are running share the next call. If a
 * call fails, it is repeated for each half of its inputs, so in the end only the input that causes the failure fails.
 *
 * @param call returns one output per input, in the same order. If it throws anything but `unavailable` or `too_many_requests`, it must
 * not have had an effect
 * @returns a function that throws {@link StowageError} `unavailable`; `too_many_requests` if too many inputs of one owner are waiting;
 * or what `call` threw for this input alone
 */
export function batchCalls<Input, Output>(
  call: (inputs: Input[]) => Promise<Output[]>,
  options: BatchCallsOptions<Input>,
): (input: Input) => Promise<Output> {
  type Queued = QueuedInput<Input, Output>;
  const queue = new OwnerQueues<Queued>();
  /** The inputs of owners with calls of their own. */
  const isolated = new OwnerQueues<Queued>();
  const isolatedOwners = new Set<string>();
  let isIsolatedRunning = false;
  const { isSeparate = () => false, maxConcurrentCalls, observer } = options;
  const { maxConcurrentSeparateCalls = maxConcurrentCalls } = options;
  const { maxBatchSize, maxSharedBatchSize = maxBatchSize } = options;
  const shares = new CallShares({
    maxCallsPerOwner: options.maxConcurrentCallsPerOwner ?? maxConcurrentCalls,
    maxSharedInputsPerOwner: options.maxSharedInputsPerOwner,
  });
  let runningCalls = 0;
  let isScheduled = false;

  /** Starts a call at the end of this turn of the event loop, so that requests which arrived together share it. */
  function schedule(): void {
    if (isScheduled || queue.size === 0) return;
    if (runningCalls >= (isSeparate() ? maxConcurrentSeparateCalls : maxConcurrentCalls)) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const next = isSeparate()
        ? queue.takeOfNextOwner(maxBatchSize)
        : queue.take(shares.isShared() ? maxSharedBatchSize : maxBatchSize, (owner) =>
            shares.mayStartCall(owner),
          );
      if (next.length === 0) return;
      void run(next);
      schedule();
    });
  }

  async function run(inputs: QueuedInput<Input, Output>[]): Promise<void> {
    runningCalls++;
    const endCall = shares.startCall(inputs);
    await callWith(inputs, () => inputs.forEach(isolate));
    endCall();
    runningCalls--;
    schedule();
    void runIsolated();
  }

  function isolate(queued: Queued): void {
    isolatedOwners.add(queued.owner);
    if (!queued.isSettled) isolated.add(queued.owner, queued);
  }

  async function runIsolated(): Promise<void> {
    if (isIsolatedRunning) return;
    isIsolatedRunning = true;
    // A shared call with inputs of the same owner may hold the locks that a call of its own would wait for, so it ends first.
    const isFree = (owner: string) => !shares.hasRunningCall(owner);
    const next = () => isolated.takeOfNextOwner(maxBatchSize, isFree);
    for (let inputs = next(); inputs.length > 0; inputs = next()) {
      const { owner } = inputs[0]!;
      let wasBlocked = false;
      await callWith(inputs, (error) => {
        wasBlocked = true;
        inputs.forEach(({ reject }) => reject(error));
      });
      if (!wasBlocked) isolatedOwners.delete(owner);
    }
    isIsolatedRunning = false;
  }

  function observedCall(inputs: Queued[]): Promise<Output[]> {
    const run = () => call(inputs.map(({ input }) => input));
    if (!observer) return run();
    return observer.onCall(
      inputs.flatMap(({ observed }) => observed ?? []),
      run,
    );
  }

  async function callWith(inputs: Queued[], onBlocked: (error: unknown) => void): Promise<void> {
    try {
      const outputs = await observedCall(inputs);
      inputs.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      if (options.isBlocked?.(error)) return onBlocked(error);
      // A temporary error is not caused by an input. After `unavailable` the call may have taken effect: it must not be repeated.
      if (inputs.length === 1 || isTemporary(error)) return inputs.forEach(({ reject }) => reject(error));
      const half = Math.ceil(inputs.length / 2);
      await callWith(inputs.slice(0, half), onBlocked);
      await callWith(inputs.slice(half), onBlocked);
    }
  }

  return (input) => {
    const owner = options.ownerOf(input);
    const waiting = queue.sizeOf(owner) + isolated.sizeOf(owner);
    if (waiting >= options.maxQueueLengthPerOwner) return Promise.reject(tooManyRequests());
    if (queue.size + isolated.size >= options.maxQueueLength)
      return Promise.reject(unavailable("the queue is full"));
    shares.noteInput(owner);
    return new Promise<Output>((resolve, reject) => {
      const queued: Queued = {
        input,
        observed: observer?.onInput(),
        owner,
        isSettled: false,
        resolve: (output) => {
          clearTimeout(timer);
          queued.isSettled = true;
          queued.observed?.end();
          resolve(output);
        },
        reject: (error) => {
          clearTimeout(timer);
          queued.isSettled = true;
          queued.observed?.end(error);
          reject(error as Error);
        },
      };
      const giveUp = () => {
        const isWaiting = queue.remove(owner, queued) || isolated.remove(owner, queued);
        if (isWaiting) return queued.reject(unavailable("an input waited too long"));
        // The call has started. Its answer may still come in the rest of the time.
        timer = setTimeout(
          () => queued.reject(unavailable("an input passed its deadline")),
          options.timeoutMs * (1 - LATEST_START),
        );
      };
      let timer = setTimeout(giveUp, options.timeoutMs * LATEST_START);
      if (isolatedOwners.has(owner)) {
        isolated.add(owner, queued);
        void runIsolated();
      } else {
        queue.add(owner, queued);
        schedule();
      }
    });
  };
}

function unavailable(reason: string): StowageError {
  return new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(reason),
  });
}

function tooManyRequests(): StowageError {
  return new StowageError("too_many_requests", {
    retryAfterSeconds: RETRY_AFTER_OWN_BOUND_SECONDS,
    cause: new Error("too many inputs of one owner are waiting"),
  });
}
