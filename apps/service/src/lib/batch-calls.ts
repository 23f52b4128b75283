export interface BatchCallsOptions {
  maxConcurrentCalls: number;
  /** How many inputs one call may have. */
  maxBatchSize: number;
  /** Further inputs are refused immediately. */
  maxWaiting: number;
  /** An input that has waited for so long is refused, and not started any more. */
  maxWaitMs: number;
}

/** Too many inputs are waiting, or one waited for too long. */
export class BatchRefusedError extends Error {
  override readonly name = "BatchRefusedError";
}

/**
 * Turns a function for many inputs into a function for one: inputs that arrive while calls are running share the next call. If a call
 * fails, all its inputs fail. Calls that share SQL statements use `db.batch`, which is fair between their owners.
 *
 * @returns a function that throws {@link BatchRefusedError}, or what `call` threw
 */
export function batchCalls<Input>(
  call: (inputs: Input[]) => Promise<void>,
  { maxConcurrentCalls, maxBatchSize, maxWaiting, maxWaitMs }: BatchCallsOptions,
): (input: Input) => Promise<void> {
  /** What starts or refuses the waiting inputs, the oldest first. */
  const waiting = new Map<symbol, { input: Input; start: (call: Promise<void>) => void }>();
  let running = 0;
  let isScheduled = false;

  /** Starts a call at the end of this turn of the event loop, so that inputs which arrived together share it. */
  function schedule(): void {
    if (isScheduled || waiting.size === 0 || running >= maxConcurrentCalls) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      startCall();
      schedule();
    });
  }

  function startCall(): void {
    const taken = [...waiting].slice(0, maxBatchSize);
    if (taken.length === 0) return;
    running++;
    for (const [id] of taken) waiting.delete(id);
    const started = call(taken.map(([, { input }]) => input)).finally(() => {
      running--;
      schedule();
    });
    for (const [, { start }] of taken) start(started);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      if (waiting.size >= maxWaiting) return reject(new BatchRefusedError("too many inputs are waiting"));
      const id = Symbol();
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new BatchRefusedError("an input waited too long"));
      }, maxWaitMs);
      const start = (started: Promise<void>) => {
        clearTimeout(timer);
        resolve(started);
      };
      waiting.set(id, { input, start });
      schedule();
    });
}
