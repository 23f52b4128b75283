const TIMEOUT_MS = 5000;
/** Statuses that another try may turn into a success; any other 4xx will be said again. */
const WORTH_ANOTHER_TRY = new Set([408, 425, 429]);

/** The receiver will not take these, however often they are sent. */
export class RefusedForGood extends Error {}

/**
 * Posts records as one S3 notification. Messages of errors name neither the URL nor the secret.
 *
 * @throws RefusedForGood for a 3xx or 4xx; Error for anything that another try may mend
 */
export async function postRecords(
  { url, secret }: { url: string; secret?: string | undefined },
  records: readonly object[],
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/json",
      ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({ Records: records }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    throw new Error(`the receiver did not answer (${code ?? (error as Error).name})`);
  });
  const { status } = response;
  await response.body?.cancel();
  if (response.ok) return;
  const isForGood = status < 500 && !WORTH_ANOTHER_TRY.has(status);
  throw new (isForGood ? RefusedForGood : Error)(`the receiver answered ${status}`);
}
