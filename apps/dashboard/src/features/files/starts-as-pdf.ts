/** As far as viewers look for a PDF's first line: some files have a few bytes of a mail or a printer before it. */
const LOOKED_THROUGH_BYTES = 1024;

/** Whether storage answers this URL, and with what begins as a PDF. No more is read than it takes to tell. */
export async function startsAsPdf(url: string, signal: AbortSignal): Promise<boolean> {
  const { ok, body } = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer" });
  if (!ok || !body) return false;
  const reader = body.getReader();
  let start = "";
  while (start.length < LOOKED_THROUGH_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    start += String.fromCharCode(...value.subarray(0, LOOKED_THROUGH_BYTES));
  }
  await reader.cancel();
  return start.slice(0, LOOKED_THROUGH_BYTES).includes("%PDF-");
}
