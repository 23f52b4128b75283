/**
 * Returns a function that calls `make` on first use and then returns the same result. After a failure the next use calls `make`
 * again.
 */
export function lazy<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
