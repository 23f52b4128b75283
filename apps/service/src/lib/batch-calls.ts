import { StowageError } from "@stowage/schemas";

export interface BatchCallsOptions<Input> {
  /** Returns who causes an input. Calls take the inputs of several owners in turns. */
  ownerOf(input: Input): string;
  maxConcurrentCalls: number;
  /** How many inputs one call may have. */
  maxBatchSize: number;
  /** Further inputs are refused immediately. */
  maxQueueLength: number;
  /** Further inputs of one owner are refused immediately. */
  maxQueueLengthPerOwner: number;
  /**
   * How long one input may take, including the wait in the queue. An input that has waited for most of this time is refused and not
   * started any more: a call should not take effect after its caller has given up.
   */
  timeoutMs: number;
}

interface QueuedInput<Input, Output> {
  input: Input;
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
  const queue = new OwnerQueues<QueuedInput<Input, Output>>();
  let freeCalls = options.maxConcurrentCalls;
  let isScheduled = false;

  /** Starts a call at the end of this turn of the event loop, so that requests which arrived together share it. */
  function schedule(): void {
    if (isScheduled || freeCalls === 0 || queue.size === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const next = queue.take(options.maxBatchSize);
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
      if (inputs.length === 1 || isOfAllInputs(error)) return inputs.forEach(({ reject }) => reject(error));
      const half = Math.ceil(inputs.length / 2);
      await callWith(inputs.slice(0, half));
      await callWith(inputs.slice(half));
    }
  }

  return (input) => {
    const owner = options.ownerOf(input);
    if (queue.sizeOf(owner) >= options.maxQueueLengthPerOwner) return Promise.reject(tooManyRequests());
    if (queue.size >= options.maxQueueLength) return Promise.reject(unavailable("the queue is full"));
    return new Promise<Output>((resolve, reject) => {
      const queued: QueuedInput<Input, Output> = {
        input,
        resolve: (output) => {
          clearTimeout(timer);
          resolve(output);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error as Error);
        },
      };
      const giveUp = () => {
        if (queue.remove(owner, queued)) return reject(unavailable("an input waited too long"));
        // The call has started. Its answer may still come in the rest of the time.
        timer = setTimeout(
          () => reject(unavailable("an input passed its deadline")),
          options.timeoutMs * (1 - LATEST_START),
        );
      };
      let timer = setTimeout(giveUp, options.timeoutMs * LATEST_START);
      queue.add(owner, queued);
      schedule();
    });
  };
}

/** Queues of several owners. All operations cost the same for any number of owners and items. */
class OwnerQueues<Item> {
  /** The owner at the front has the next turn. An owner without items is not in it. */
  readonly #queues = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#queues.get(owner)?.size ?? 0;
  }

  add(owner: string, item: Item): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.add(item);
    else this.#queues.set(owner, new Set([item]));
    this.#size++;
  }

  /** @returns whether the item was in the queue */
  remove(owner: string, item: Item): boolean {
    const queue = this.#queues.get(owner);
    if (!queue?.delete(item)) return false;
    if (queue.size === 0) this.#queues.delete(owner);
    this.#size--;
    return true;
  }

  /** Removes and returns up to `count` items: one of each owner in turns, the oldest first. */
  take(count: number): Item[] {
    const taken: Item[] = [];
    while (taken.length < count && this.#size > 0) {
      const [[owner, queue]] = this.#queues as Iterable<[string, Set<Item>]> as [[string, Set<Item>]];
      const [item] = queue;
      taken.push(item!);
      this.remove(owner, item!);
      if (queue.size === 0) continue;
      this.#queues.delete(owner);
      this.#queues.set(owner, queue);
    }
    return taken;
  }
}

/** These errors are not caused by an input. After `unavailable` the call may have taken effect: it must not be repeated. */
function isOfAllInputs(error: unknown): boolean {
  return (
    error instanceof StowageError && (error.code === "unavailable" || error.code === "too_many_requests")
  );
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
