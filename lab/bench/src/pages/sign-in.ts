import { DASHBOARD_URL, type RunningService } from "./start-service.js";

/** Calls the dashboard's API as a signed-in operator. */
export interface DashboardClient {
  /** Calls a tRPC query and returns its data. @throws {Error} if the status of the answer is not 200 */
  query<Data>(procedure: string, input: object): Promise<Data>;
}

const EMAIL = "visitor@example.com";
/** Not a secret: the operator exists only in a test database. */
const PASSWORD = "looks at every page";
const REQUEST_TIMEOUT_MS = 60_000;

/** Signs in as the first operator of the service, who is an administrator and sees all projects. Creates the operator if needed. */
export async function signIn(service: RunningService): Promise<DashboardClient> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(service.url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: DASHBOARD_URL },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  if (service.setupUrl !== null) {
    const token = new URL(service.setupUrl).hash.slice(1);
    await post("/trpc/setup.finish", { token, name: "A visitor", email: EMAIL, password: PASSWORD });
  }
  const answer = await post("/auth/sign-in/email", { email: EMAIL, password: PASSWORD });
  const cookie = answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
  return {
    async query<Data>(procedure: string, input: object) {
      const query = new URLSearchParams({ input: JSON.stringify(input) }).toString();
      const answer = await fetch(`${service.url}/trpc/${procedure}?${query}`, {
        headers: { Cookie: cookie },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${procedure} answered ${answer.status}: ${text}`);
      return (JSON.parse(text) as { result: { data: Data } }).result.data;
    },
  };
}
