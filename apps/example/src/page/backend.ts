export interface User {
  id: string;
  name: string;
}

export interface Session {
  user: User | null;
  users: User[];
}

/** The calls of this page to the rest of its backend. They throw an Error whose message can be shown to the user. */
export const backend = {
  session: () => call<Session>("/api/session"),
  signIn: (user: string | null) => call<Session>("/api/session", { user }),
};

const TIMEOUT_MS = 15_000;

async function call<Answer>(path: string, body?: object): Promise<Answer> {
  const post = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, { ...(body ? post : {}), signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) {
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(detail ?? `The server answered ${response.status}`);
  }
  return (await response.json()) as Answer;
}
