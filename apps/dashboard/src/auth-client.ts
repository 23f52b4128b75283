import { basePath } from "./base-path.js";
import { fetchService } from "./fetch-service.js";

/** An error that the sign-in endpoints answered. The error catalogue has `code` and `message`. */
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

/**
 * Sends `POST /auth/<call>`. Sign-in calls do not use tRPC because their answers set cookies.
 *
 * @throws {AuthError} if the service refuses the call
 * @throws any error of {@link fetchService}, or a `SyntaxError` if a proxy answers instead of the service
 */
export async function callAuth<Answer = unknown>(call: string, body: object = {}): Promise<Answer> {
  const response = await fetchService(`${basePath}/auth/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) {
    throw new AuthError(answer as { code: string; detail: string }, response.headers.get("Retry-After"));
  }
  return answer;
}
