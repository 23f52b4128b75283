export interface User {
  id: string;
  name: string;
}

export interface Session {
  user: User | null;
  users: User[];
}

/** A document as the backend lists it. */
export interface Document {
  filePath: string;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number | null;
  createdAt: string;
  storedAt: string | null;
}

/** What this page asks of its own backend. Each call throws an Error with a sentence for the person in front of it. */
export const backend = {
  session: () => ask<Session>("/api/session"),
  signIn: (user: string | null) => ask<Session>("/api/session", { user }),
  documents: async () => (await ask<{ files: Document[] }>("/api/files")).files,
  deleteDocument: (path: string) => ask<object>("/api/files/delete", { path }),
  avatarUrl: async () => (await ask<{ avatarUrl: string | null }>("/api/files/avatar")).avatarUrl,
  /** Followed by the browser itself: it answers the way to storage. */
  downloadHref: (path: string) => `/api/files/download?${new URLSearchParams({ path })}`,
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
