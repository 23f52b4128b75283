import { NoAnswer } from "../expect/failure.js";
import type { Answer } from "../http/answer.js";
import type { Client } from "../http/client.js";

/** No case can be asked. The message is one sentence or two: what is wrong, and what to do. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}

/**
 * Checks that the address is a Stowage service that accepts the key.
 *
 * @returns its version; null if `GET /` does not say it, for example because a proxy answers at that path
 * @throws {CannotRun}
 */
export async function connect(client: Client, url: string, signal: AbortSignal): Promise<string | null> {
  const ask = async (path: string, key?: null): Promise<Answer> => {
    try {
      return await client.send(path, key === null ? { key } : {}, { signal });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw new CannotRun(
        `${url} does not answer: ${error.got}. Check the address, and that this machine may reach it.`,
      );
    }
  };
  const root = await ask("/", null);
  const { name, version } = (root.json ?? {}) as { name?: unknown; version?: unknown };
  const location = root.headers.get("location");
  if (root.status >= 300 && root.status < 400 && location !== null)
    throw new CannotRun(`${url} redirects to ${client.redact(location)}. Give that address.`);
  const withoutKey = await ask("/api/storage/usage/", null);
  const isStowage =
    name === "Stowage" || (withoutKey.json as { detail?: unknown })?.detail === "Unauthorized";
  if (!isStowage)
    throw new CannotRun(
      `${url} is not a Stowage service: it answers GET / with status ${root.status} and no name. Give the address of the service, not that of your app or of storage.`,
    );
  const withKey = await ask("/api/storage/usage/");
  if (withKey.status === 401)
    throw new CannotRun(
      "The service refuses the key. Copy the key of a project of this service, or replace it in the dashboard.",
    );
  if (withKey.status === 503) {
    const ready = await ask("/readyz", null);
    throw new CannotRun(
      `The service is not available: ${client.redact(ready.text.slice(0, 300))}. Run stowage doctor where the service runs.`,
    );
  }
  return typeof version === "string" ? version : null;
}
