import type { Runtime } from "../../runtime.js";
import { MAX_SIGNED_PARTS, type PartsTransport } from "../../transport.js";
import { UploadError } from "../../upload-error.js";
import { trackExpiry } from "../ticket-expiry.js";
import type { SignedPart } from "../upload-job.js";

/** A PUT starts only if its URL is valid for at least this long. */
const MIN_VALID_MS = 30_000;

/**
 * Gets the URLs of parts in groups, shortly before they are used. Parts that need one at the same time share one call. On a slow line
 * the last URLs of a group expire before their turn, and are signed again.
 *
 * @param deps.signed URLs that are known already
 * @param missing the numbers of the parts to send, in the order in which they are sent
 */
export function createPartUrls(
  deps: {
    transport: PartsTransport;
    runtime: Pick<Runtime, "now" | "uptimeMs">;
    path: string;
    signal: AbortSignal;
    signed: readonly SignedPart[];
  },
  missing: readonly number[],
) {
  const { transport, runtime, path, signal } = deps;
  const urls = new Map(deps.signed.map((part) => [part.ticket.number, part]));
  let signing: Promise<void> | null = null;

  function usable(number: number): SignedPart | null {
    const url = urls.get(number);
    return url && url.validMs() >= MIN_VALID_MS ? url : null;
  }

  /** Signs this part and those that come after it and have no URL yet. */
  async function sign(first: number): Promise<void> {
    const start = missing.indexOf(first);
    const following = missing.slice(start, start + MAX_SIGNED_PARTS);
    const parts = following.filter((number) => !usable(number)).map((number) => ({ number }));
    const answer = await transport.signParts({ file_path: path, parts }, signal);
    for (const ticket of answer.parts) {
      urls.set(ticket.number, { ticket, validMs: trackExpiry(ticket, runtime) });
    }
  }

  return {
    /** @throws {UploadError} why the backend signs no URL */
    async get(number: number): Promise<SignedPart> {
      // The call of another part may bring the URL of this one too.
      if (signing && !usable(number)) await signing;
      if (!usable(number)) {
        signing = sign(number).finally(() => (signing = null));
        await signing;
      }
      const url = urls.get(number);
      if (!url) throw new UploadError("unexpected_answer");
      return url;
    },
    /** Call this when the part is stored, or when storage refused its URL. */
    drop(number: number) {
      urls.delete(number);
    },
  };
}

export type PartUrls = ReturnType<typeof createPartUrls>;
