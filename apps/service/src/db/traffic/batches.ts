/** How calls of one kind share statements. */
export interface Batching<Input, Output> {
  /**
   * Carries out calls of one owner, or of several.
   *
   * @returns one output for each input, in the same order
   * @throws if it throws anything but a temporary error, it must not have had an effect
   */
  run(inputs: Input[]): Promise<Output[]>;
  /**
   * While it returns true, each batch has the calls of one owner, and only the connections limit how many run: the owners are on
   * several nodes of Citus. The failure of a batch then concerns one owner. @default never
   */
  isSeparate?: (() => boolean) | undefined;
  /** Follows the calls, for example to trace them. @default none */
  observer?: BatchObserver | undefined;
}

/** What a caller may choose. */
export type BatchingOptions = Pick<Batching<unknown, unknown>, "isSeparate" | "observer">;

/** What the errors of a batch mean. */
export interface BatchErrors {
  /** The batch may have taken effect, or a later try may succeed: its calls fail, and are not repeated one by one. */
  isTemporary(error: unknown): boolean;
  /**
   * The batch ended without an effect, because one of its calls waited for a lock for too long. The owners of its calls then get
   * statements of their own, one after the other, so that they do not block the other owners, until one of theirs ends in time.
   */
  isBlocked(error: unknown): boolean;
}

/** Follows calls that share statements. */
export interface BatchObserver {
  /** A call arrives, in the async context of its caller. */
  onInput(): ObservedInput;
  /** Runs a batch with these calls. Without an observer, it runs in the async context of any of its callers. */
  onCall<T>(inputs: ObservedInput[], run: () => Promise<T>): Promise<T>;
}

export interface ObservedInput {
  /** The call has its output, or its error. */
  end(error?: unknown): void;
}

/** A call of a batch. */
export interface BatchedCall {
  input: unknown;
  observed: ObservedInput | undefined;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs a batch. If it fails, it is repeated for each half of its calls, so in the end only the call that causes the failure fails. Never
 * throws.
 *
 * @param onBlocked is told the calls that waited for a lock
 * @returns whether a statement succeeded
 */
export async function runBatch<Call extends BatchedCall>(
  batching: Batching<unknown, unknown>,
  errors: BatchErrors,
  calls: Call[],
  onBlocked: (calls: Call[], error: unknown) => void,
): Promise<boolean> {
  try {
    const outputs = await runObserved(batching, calls);
    calls.forEach((call, index) => call.resolve(outputs[index]));
    return true;
  } catch (error) {
    if (errors.isBlocked(error)) {
      onBlocked(calls, error);
      return false;
    }
    if (calls.length === 1 || errors.isTemporary(error)) {
      for (const call of calls) call.reject(error);
      return false;
    }
    const half = Math.ceil(calls.length / 2);
    const first = await runBatch(batching, errors, calls.slice(0, half), onBlocked);
    const second = await runBatch(batching, errors, calls.slice(half), onBlocked);
    return first || second;
  }
}

function runObserved(
  { run, observer }: Batching<unknown, unknown>,
  calls: BatchedCall[],
): Promise<unknown[]> {
  const inputs = calls.map(({ input }) => input);
  if (!observer) return run(inputs);
  return observer.onCall(
    calls.flatMap(({ observed }) => observed ?? []),
    () => run(inputs),
  );
}
