/** Why a sign-in call was refused, in the words and with the code of the catalogue. */
export class AuthRefusal extends Error {
  override readonly name = "AuthRefusal";
  readonly code: string;
  /** When to come back, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, detail }: { code: string; detail: string }, retryAfter: string | null) {
    super(detail);
    this.code = code;
    this.retryAfterSeconds = Number(retryAfter) || undefined;
  }
}

const ANSWER_TIMEOUT_MS = 20_000;

/**
 * `POST /auth/…`: who somebody is. These are not tRPC calls, since their answers set cookies.
 *
 * @throws {AuthRefusal} with the service's sentence
 * @throws {TypeError} when the service is not reached; a `TimeoutError` when it does not answer
 */
export async function auth<Answer = unknown>(call: string, body: object = {}): Promise<Answer> {
  const response = await fetch(`/auth/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok)
    throw new AuthRefusal(answer as { code: string; detail: string }, response.headers.get("Retry-After"));
  return answer;
}
