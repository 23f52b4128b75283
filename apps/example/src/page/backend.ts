import type { File } from "@stowage/schemas";

export interface User {
  id: string;
  name: string;
}

export interface Session {
  user: User | null;
  users: User[];
}

/** What this page asks of its own backend. Each call throws an Error with a sentence for the person in front of it. */
export const backend = {
  session: () => ask<Session>("/api/session"),
  signIn: (user: string | null) => ask<Session>("/api/session", { user }),
  files: async () => (await ask<{ files: File[] }>("/api/files")).files,
};

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    ...(body
      ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }
      : {}),
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) {
    const { detail } = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Error(detail ?? `The server answered ${response.status}`);
  }
  return (await response.json()) as Answer;
}
