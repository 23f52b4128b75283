/** Waits for code of the customer's, but not for ever: after `timeoutMs` it rejects with what `late` makes. */
export async function within<T>(
  timeoutMs: number,
  work: () => T | Promise<T>,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
  });
  try {
    // In a function of its own, so that what throws at once rejects too.
    return await Promise.race([(async () => work())(), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
