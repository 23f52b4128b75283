import { StowageError } from "@stowage/schemas";

export interface BatchCallsOptions {
  callsAtOnce: number;
  inputsAtOnce: number;
  /** Beyond this, an input is turned away at once. */
  longestLine: number;
  /**
   * How long an input may take, all in all. Its call begins well before that or not at all: what its caller has given up should
   * not be carried out later.
   */
  patienceMs: number;
}

interface Waiting<Input, Output> {
  input: Input;
  since: number;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

const RETRY_AFTER_SECONDS = 2;
/** The share of its time after which an input's call is not begun any more. */
const LATEST_BEGIN = 0.8;

/**
 * Makes one call for several inputs out of a call for each: those that come while calls are under way go together with the
 * next one. An input that makes its call fail does so alone: the call is made again for each half of its inputs.
 *
 * @param call gives an output for each input, in their order; when it throws, nothing has happened, or `unavailable`
 * @returns a function that throws {@link StowageError} `unavailable`, or what `call` threw for this input alone
 */
export function batchCalls<Input, Output>(
  call: (inputs: Input[]) => Promise<Output[]>,
  options: BatchCallsOptions,
): (input: Input) => Promise<Output> {
  let line: Waiting<Input, Output>[] = [];
  let free = options.callsAtOnce;
  let isPlanned = false;

  /** After the events of this turn of the loop: requests that came together leave together. */
  function plan(): void {
    if (isPlanned || free === 0 || line.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const oldest = performance.now() - options.patienceMs * LATEST_BEGIN;
      const late = line.filter(({ since }) => since < oldest);
      for (const { reject } of late) reject(unavailable("an input waited too long"));
      const next = line.slice(late.length, late.length + options.inputsAtOnce);
      line = line.slice(late.length + options.inputsAtOnce);
      if (next.length > 0) void serve(next);
      plan();
    });
  }

  async function serve(inputs: Waiting<Input, Output>[]): Promise<void> {
    free--;
    await settle(inputs);
    free++;
    plan();
  }

  async function settle(inputs: Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await call(inputs.map(({ input }) => input));
      inputs.forEach(({ resolve }, at) => resolve(outputs[at]!));
    } catch (error) {
      const isAnyones = error instanceof StowageError && error.code === "unavailable";
      if (isAnyones || inputs.length === 1) return inputs.forEach(({ reject }) => reject(error));
      const half = Math.ceil(inputs.length / 2);
      await settle(inputs.slice(0, half));
      await settle(inputs.slice(half));
    }
  }

  return (input) => {
    if (line.length >= options.longestLine) return Promise.reject(unavailable("the line is full"));
    return new Promise<Output>((resolve, reject) => {
      const giveUp = () => reject(unavailable("an input passed its deadline"));
      const timer = setTimeout(giveUp, options.patienceMs);
      const once =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      line.push({ input, since: performance.now(), resolve: once(resolve), reject: once(reject) });
      plan();
    });
  };
}

function unavailable(why: string): StowageError {
  return new StowageError("unavailable", { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: new Error(why) });
}
