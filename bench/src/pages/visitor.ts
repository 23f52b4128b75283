import { DASHBOARD_URL, type RunningService } from "./start-service.js";

/** A signed-in operator. */
export interface Visitor {
  /** Calls a procedure. @throws {Error} for any answer except 200 */
  query<Data>(procedure: string, input: object): Promise<Data>;
}

const EMAIL = "visitor@example.com";
/** The password of a test database on this machine. */
const PASSWORD = "looks at every page";
const ANSWER_MS = 60_000;

/** Signs in as the installation's first operator, who may see everything. Creates the operator if needed. */
export async function signIn(service: RunningService): Promise<Visitor> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(service.url + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: DASHBOARD_URL },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
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
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${procedure} answered ${answer.status}: ${text}`);
      return (JSON.parse(text) as { result: { data: Data } }).result.data;
    },
  };
}
