import { StowageError } from "@stowage/schemas";

export interface BatchCallsOptions {
  maxConcurrentCalls: number;
  /** How many inputs one call may have. */
  maxBatchSize: number;
  /** Further inputs are refused immediately. */
  maxQueueLength: number;
  /**
   * How long one input may take, including the wait in the queue. An input that has waited for most of this time is refused and not
   * started any more: a call should not take effect after its caller has given up.
   */
  timeoutMs: number;
}

interface QueuedInput<Input, Output> {
  input: Input;
  queuedAt: number;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

const RETRY_AFTER_SECONDS = 2;
/** An input that has waited for more than this share of its time is not started any more. */
const LATEST_START = 0.8;

/**
 * Turns a function for many inputs into a function for one: inputs that arrive while calls are running share the next call. If a
 * call fails, it is repeated for each half of its inputs, so in the end only the input that causes the failure fails.
 *
 * @param call returns one output per input, in the same order. If it throws anything but `unavailable`, it must not have had an effect
 * @returns a function that throws {@link StowageError} `unavailable`, or what `call` threw for this input alone
 */
export function batchCalls<Input, Output>(
  call: (inputs: Input[]) => Promise<Output[]>,
  options: BatchCallsOptions,
): (input: Input) => Promise<Output> {
  let queue: QueuedInput<Input, Output>[] = [];
  let freeCalls = options.maxConcurrentCalls;
  let isScheduled = false;

  /** Starts a call at the end of this turn of the event loop, so that requests which arrived together share it. */
  function schedule(): void {
    if (isScheduled || freeCalls === 0 || queue.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const oldest = performance.now() - options.timeoutMs * LATEST_START;
      const late = queue.filter(({ queuedAt }) => queuedAt < oldest);
      for (const { reject } of late) reject(unavailable("an input waited too long"));
      const next = queue.slice(late.length, late.length + options.maxBatchSize);
      queue = queue.slice(late.length + options.maxBatchSize);
      if (next.length > 0) void run(next);
      schedule();
    });
  }

  async function run(inputs: QueuedInput<Input, Output>[]): Promise<void> {
    freeCalls--;
    await callWith(inputs);
    freeCalls++;
    schedule();
  }

  async function callWith(inputs: QueuedInput<Input, Output>[]): Promise<void> {
    try {
      const outputs = await call(inputs.map(({ input }) => input));
      inputs.forEach(({ resolve }, index) => resolve(outputs[index]!));
    } catch (error) {
      // `unavailable` is not caused by an input, and the call may have taken effect: it must not be repeated.
      const isUnavailable = error instanceof StowageError && error.code === "unavailable";
      if (isUnavailable || inputs.length === 1) return inputs.forEach(({ reject }) => reject(error));
      const half = Math.ceil(inputs.length / 2);
      await callWith(inputs.slice(0, half));
      await callWith(inputs.slice(half));
    }
  }

  return (input) => {
    if (queue.length >= options.maxQueueLength) return Promise.reject(unavailable("the queue is full"));
    return new Promise<Output>((resolve, reject) => {
      const timer = setTimeout(() => reject(unavailable("an input passed its deadline")), options.timeoutMs);
      const clearingTimer =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      queue.push({
        input,
        queuedAt: performance.now(),
        resolve: clearingTimer(resolve),
        reject: clearingTimer(reject),
      });
      schedule();
    });
  };
}

function unavailable(reason: string): StowageError {
  return new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(reason),
  });
}
