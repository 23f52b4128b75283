const ANSWER_TIMEOUT_MS = 20_000;

/** The browser had no network when the request was made, so the service did not get it. */
export class OfflineError extends Error {
  override readonly name = "OfflineError";
}

/**
 * Sends a request to the service.
 *
 * @throws {OfflineError} if the browser has no network
 * @throws {TypeError} if the service cannot be reached, or a `TimeoutError` if it does not answer within 20 s
 */
export async function fetchService(url: string, init: RequestInit): Promise<Response> {
  const wasOnline = navigator.onLine;
  const { signal } = init;
  try {
    return await fetch(url, {
      ...init,
      signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
  } catch (error) {
    if (wasOnline || signal?.aborted) throw error;
    throw new OfflineError("The browser is offline", { cause: error });
  }
}
