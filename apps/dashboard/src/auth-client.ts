/** An error that the sign-in endpoints answered. `code` and `message` are those of the error catalogue. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, detail }: { code: string; detail: string }, retryAfter: string | null) {
    super(detail);
    this.code = code;
    this.retryAfterSeconds = Number(retryAfter) || undefined;
  }
}

const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Sends `POST /auth/<call>`. Sign-in calls do not use tRPC because their answers set cookies.
 *
 * @throws {AuthError} if the service refuses the call
 * @throws {TypeError} if the service cannot be reached, or a `TimeoutError` if it does not answer
 */
export async function callAuth<Answer = unknown>(call: string, body: object = {}): Promise<Answer> {
  const response = await fetch(`/auth/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) {
    throw new AuthError(answer as { code: string; detail: string }, response.headers.get("Retry-After"));
  }
  return answer;
}
