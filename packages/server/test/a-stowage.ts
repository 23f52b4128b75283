import { API_KEY } from "@stowage/service-fake";
import { createStowage, type Stowage, type StowageOptions } from "../src/index.js";

/** A helper that reads the signed-in user from a header, as it would from a session. `reported` collects what `onError` receives. */
export function aStowage<Schemas extends Record<string, unknown>, Results extends Record<string, unknown>>(
  service: { url: string },
  options: Partial<StowageOptions<Schemas, Results>> = {},
): Stowage & { reported: Error[] } {
  const reported: Error[] = [];
  const stowage = createStowage({
    apiKey: API_KEY,
    baseUrl: service.url,
    tenant: (request) => request.headers.get("X-Test-User"),
    onError: (error) => reported.push(error),
    // The fake service answers immediately, but a busy machine may need seconds for it.
    timeoutMs: 60_000,
    ...options,
  });
  return Object.assign(stowage, { reported });
}

/** A browser's call of the helper. The user is Ada, unless `headers` names another one. */
export function post(action: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`https://app.example/api/stowage/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Test-User": "user_ada", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** A browser's read from the helper. The user is Ada, unless `headers` names another one. */
export function get(
  action: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Request {
  return new Request(`https://app.example/api/stowage/${action}?${new URLSearchParams(query)}`, {
    headers: { "X-Test-User": "user_ada", ...headers },
  });
}

export const FILE_PATH = "projects/p/tenants/t/1_file";
