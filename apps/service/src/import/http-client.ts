import { StowageError } from "@stowage/schemas";
import { limited } from "#object-store/copy-ends.js";
import { isKnown, ObjectChangedError, ObjectRefusedError } from "#object-store/object-errors.js";
import type { ByteRange, StoredObject } from "#object-store/object-store.js";
import { collect } from "#object-store/part-bytes.js";

/** Requests to the API of another store. An answer may stand still for a minute. */
export interface HttpClient {
  /**
   * Asks the API.
   *
   * @returns null for 404
   * @throws {StowageError} `unavailable`; `invalid_request` for any other refusal
   */
  askJson(url: string, init?: { method: "POST"; body: object }): Promise<unknown>;
  /** Reads the headers of an object. @returns null for 404. @throws {ObjectRefusedError} */
  readHeaders(url: string): Promise<Headers | null>;
  /** Reads bytes of an object. @throws {ObjectChangedError}, {@link ObjectRefusedError} */
  readBytes(url: string, object: StoredObject, range: ByteRange | null): Promise<Uint8Array>;
}

/** Otherwise lengths would be those of compressed bytes. */
const UNCOMPRESSED = { "Accept-Encoding": "identity" };

/** A page of a listing has at most 1,000 objects. */
const MAX_JSON_BYTES = 16 * 1024 ** 2;

/**
 * @param name of the store, for messages. They have no URL, because some are signed
 * @param apiHeaders are sent to the API, with the secret
 * @param objectHeaders are sent with requests for objects
 */
export function createHttpClient(
  name: string,
  apiHeaders: Record<string, string>,
  objectHeaders: Record<string, string>,
): HttpClient {
  /** Follows no redirect: another host would get the secret. */
  async function send<T>(url: string, init: RequestInit, read: Reading<T>): Promise<T> {
    try {
      return await limited(async ({ abortSignal }, touch) => {
        const answer = await fetch(url, { ...init, redirect: "manual", signal: abortSignal });
        touch();
        try {
          if (isTransient(answer.status)) throw unavailable(name, `HTTP ${answer.status}`);
          return await read(answer, touch);
        } finally {
          await answer.body?.cancel().catch(() => undefined);
        }
      });
    } catch (error) {
      if (isKnown(error)) throw error;
      const { cause, name: kind } = error as Error;
      throw unavailable(name, (cause as NodeJS.ErrnoException | undefined)?.code ?? kind, error);
    }
  }

  return {
    askJson(url, init) {
      const headers = { ...apiHeaders, ...(init && { "Content-Type": "application/json" }) };
      const request = init ? { method: init.method, headers, body: JSON.stringify(init.body) } : { headers };
      return send(url, request, async (answer, touch) => {
        if (answer.status === 404) return null;
        if (!answer.ok)
          throw new StowageError("invalid_request", { detail: `${name} refuses it (HTTP ${answer.status})` });
        return readJson(name, answer, touch);
      });
    },

    readHeaders: (url) =>
      send(url, { method: "HEAD", headers: { ...objectHeaders, ...UNCOMPRESSED } }, async (answer) => {
        if (answer.status === 404) return null;
        if (!answer.ok) throw new ObjectRefusedError(`HTTP ${answer.status}`);
        return answer.headers;
      }),

    readBytes(url, { etag, sizeBytes }, range) {
      const headers = {
        ...objectHeaders,
        ...UNCOMPRESSED,
        ...(range && { Range: `bytes=${range.at}-${range.at + range.length - 1}` }),
      };
      return send(url, { headers }, async (answer, touch) => {
        if (answer.status === 404) throw new ObjectChangedError("it is gone");
        if (answer.status !== (range ? 206 : 200)) throw new ObjectRefusedError(`HTTP ${answer.status}`);
        if (etag !== "" && etagOf(answer.headers) !== etag)
          throw new ObjectChangedError("it has another ETag");
        const body = (answer.body ?? []) as AsyncIterable<Uint8Array>;
        return collect(body, range?.length ?? sizeBytes, touch);
      });
    },
  };
}

type Reading<T> = (answer: Response, touch: () => void) => Promise<T>;

/**
 * A key as the path of a URL. `fetch` would take a segment `.` or `..` as a step to another call of the API, which gets the secret.
 *
 * @throws {ObjectRefusedError} for a key that has such a segment
 */
export function encodeKey(key: string): string {
  const segments = key.split("/");
  if (segments.includes(".") || segments.includes("..")) throw new ObjectRefusedError("invalid_key");
  return segments.map(encodeURIComponent).join("/");
}

/** The ETag of an answer, without quotes; empty if it has none. A weak one is the same for the same bytes here. */
export const etagOf = (headers: Headers): string =>
  (headers.get("etag") ?? "").replace(/^W\//, "").replaceAll('"', "");

const isTransient = (status: number) => status >= 500 || status === 408 || status === 429;

function unavailable(name: string, reason: string, cause?: unknown): StowageError {
  return new StowageError("unavailable", {
    detail: `${name} does not answer as expected (${reason}). Run the command again, and it goes on`,
    cause,
  });
}

async function readJson(name: string, answer: Response, touch: () => void): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    touch();
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_JSON_BYTES) throw unavailable(name, "an answer is too long");
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw unavailable(name, "an answer is no JSON");
  }
}
