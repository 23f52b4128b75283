import { type DecodedText, decodeText } from "./decode-text.js";

/** Enough to tell what a file is. */
const HEAD_BYTES = 64 * 1024;
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * The beginning of a text file. `not_loaded`: storage did not send it, or its CORS rules do not allow this page to read it, which browsers
 * do not tell apart. `no_text`: the bytes are not text.
 */
export type TextHead =
  | { outcome: "not_loaded" | "no_text" }
  | { outcome: "text"; decoded: DecodedText; isWhole: boolean; readBytes: number };

/** Reads the beginning of a text file. It sends no header `Range`, because the CORS rules of a bucket may not allow it. */
export async function readText(url: string, contentType: string, signal: AbortSignal): Promise<TextHead> {
  const head = await readHead(url, signal).catch(() => null);
  signal.throwIfAborted();
  if (!head) return { outcome: "not_loaded" };
  const { bytes, isWhole } = head;
  const decoded = decodeText(bytes, { contentType, isWhole });
  return decoded ? { outcome: "text", decoded, isWhole, readBytes: bytes.length } : { outcome: "no_text" };
}

async function readHead(
  url: string,
  unmounted: AbortSignal,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const signal = AbortSignal.any([unmounted, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
  const { ok, status, body } = await fetch(url, {
    signal,
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  if (!ok || !body) throw new Error(`storage answered ${status}`);
  const reader = body.getReader();
  const head = new Uint8Array(HEAD_BYTES);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: head.subarray(0, length), isWhole: true };
    const fits = value.subarray(0, HEAD_BYTES - length);
    head.set(fits, length);
    length += fits.length;
    if (fits.length < value.length) break;
  }
  await reader.cancel();
  return { bytes: head, isWhole: false };
}
