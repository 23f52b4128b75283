/** How a call ended. */
export interface CallEnd {
  seconds: number;
  /** Undefined if the call succeeded. */
  error: unknown;
}

/** Makes a call and reports how long it took and whether it failed. Its result or error passes through. */
export async function timeCall<Result>(
  call: () => Promise<Result>,
  onEnd: (end: CallEnd) => void,
): Promise<Result> {
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1000;
  try {
    const result = await call();
    onEnd({ seconds: secondsSince(), error: undefined });
    return result;
  } catch (error) {
    onEnd({ seconds: secondsSince(), error });
    throw error;
  }
}
