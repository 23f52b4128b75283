import { createStowage, type Stowage, type StowageOptions } from "../src/index.js";
import { API_KEY } from "@stowage/service-fake";

/** A helper that takes the signed-in user from a header, as a session would, and keeps what it reports. */
export function aStowage<Schemas extends Record<string, unknown>, Results extends Record<string, unknown>>(
  service: { url: string },
  options: Partial<StowageOptions<Schemas, Results>> = {},
): Stowage & { faults: Error[] } {
  const faults: Error[] = [];
  const stowage = createStowage({
    apiKey: API_KEY,
    baseUrl: service.url,
    tenant: (request) => request.headers.get("X-Test-User"),
    onError: (error) => faults.push(error),
    ...options,
  });
  return Object.assign(stowage, { faults });
}

/** A browser's call of the helper, as Ada unless told otherwise. */
export function post(action: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`https://app.example/api/stowage/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Test-User": "user_ada", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export const FILE_PATH = "projects/p/tenants/t/1_file";
