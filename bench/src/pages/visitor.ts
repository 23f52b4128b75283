import { DASHBOARD_URL, type RunningService } from "./start-service.js";

/** A person who is signed in to the dashboard. */
export interface Visitor {
  /** Asks a procedure. @throws {Error} for any answer but 200 */
  query<Data>(procedure: string, input: object): Promise<Data>;
}

const EMAIL = "visitor@example.com";
/** Of a made-up database, on this machine alone. */
const PASSWORD = "looks at every page";
const ANSWER_MS = 60_000;

/** Somebody who may see everything: the installation's first operator, made here unless this was done in an earlier run. */
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
