const TIMEOUT_MS = 5000;
/** A retry can succeed after these statuses. A request with any other 3xx or 4xx would fail again. */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

/** The receiver refused the records, and a retry cannot help. */
export class PermanentRefusal extends Error {}

/**
 * Posts records as one S3 notification. Error messages contain neither the URL nor the secret.
 *
 * @throws PermanentRefusal for a 3xx or 4xx; Error if a retry may help
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
  const isPermanent = status < 500 && !RETRYABLE_STATUSES.has(status);
  throw new (isPermanent ? PermanentRefusal : Error)(`the receiver answered ${status}`);
}
