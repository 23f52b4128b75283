import type { Example } from "./parse-curl.js";

export interface Answer {
  status: string;
  /** Indented if it is JSON. */
  text: string;
  /** The path of the file that the answer names. */
  filePath?: string;
}

/** Sends a request to the service that serves the page. No other origin: the service gives other origins no access, so that no key gets into pages. */
export async function send({ method, path, query, body }: Example, key: string): Promise<Answer> {
  const search =
    query === undefined ? "" : `?${new URLSearchParams(JSON.parse(query) as Record<string, string>)}`;
  const answer = await fetch(path + search, {
    method,
    headers: {
      ...(key === "" ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
    // The key alone decides: not the session of an operator who is signed in at the same address.
    credentials: "omit",
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  const code = answer.headers.get("X-Error-Code");
  return { status: `${answer.status}${code === null ? "" : ` ${code}`}`, ...readBody(text) };
}

function readBody(text: string): { text: string; filePath?: string } {
  try {
    const value = JSON.parse(text) as { file_path?: unknown } | null;
    const path = value?.file_path;
    return { text: JSON.stringify(value, null, 2), ...(typeof path === "string" ? { filePath: path } : {}) };
  } catch {
    return { text };
  }
}
