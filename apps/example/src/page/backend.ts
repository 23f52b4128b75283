export interface User {
  id: string;
  name: string;
}

export interface Session {
  user: User | null;
  users: User[];
}

/** A stored document, as the backend lists it. */
export interface Document {
  filePath: string;
  filename: string;
  contentType: string;
  /** Bytes. */
  size: number | null;
  createdAt: string;
  storedAt: string | null;
}

/** The calls of this page to its own backend. They throw an Error whose message can be shown to the user. */
export const backend = {
  session: () => call<Session>("/api/session"),
  signIn: (user: string | null) => call<Session>("/api/session", { user }),
  documents: async () => (await call<{ files: Document[] }>("/api/files")).files,
  deleteDocument: (path: string) => call<object>("/api/files/delete", { path }),
  avatarUrl: async () => (await call<{ avatarUrl: string | null }>("/api/files/avatar")).avatarUrl,
  /** A link for the browser. The backend redirects it to the storage. */
  downloadHref: (path: string) => `/api/files/download?${new URLSearchParams({ path })}`,
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
