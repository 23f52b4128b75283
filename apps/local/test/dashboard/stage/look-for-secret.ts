import type { BrowserContext, Page } from "playwright-core";

/**
 * Where a secret is found in a page: `memory` is all that its scripts can still reach, after the garbage is taken out, whatever
 * holds it: React, the query client, a closure.
 */
export async function searchedFor(page: Page, secret: string): Promise<string[]> {
  const places = await page.evaluate((secret) => {
    const fields = [...document.querySelectorAll("input, textarea")].map(
      (field) => (field as HTMLInputElement).value,
    );
    const texts = {
      address: location.href,
      document: document.documentElement.outerHTML,
      fields: fields.join("\n"),
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
      history: JSON.stringify(history.state),
      cookies: document.cookie,
    };
    return Object.entries(texts).flatMap(([place, text]) => (text.includes(secret) ? [place] : []));
  }, secret);
  return (await takeHeap(page)).includes(secret) ? [...places, "memory"] : places;
}

/** All strings and objects that are alive in the page's JavaScript, as text. */
async function takeHeap(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.detach();
  return chunks.join("");
}

/** Every answer that the browser gets from now on. */
export function watchResponses(context: BrowserContext) {
  const bodies: Promise<string>[] = [];
  context.on("response", (response) => {
    // A stream is open for as long as its page is: its text would never come.
    const isStream = response.headers()["content-type"]?.startsWith("text/event-stream");
    const told = isStream ? Promise.resolve("") : response.text().catch(() => "");
    bodies.push(told.then((body) => [response.url(), JSON.stringify(response.headers()), body].join("\n")));
  });
  return {
    count: () => bodies.length,
    searchedFor: async (secret: string) =>
      (await Promise.all(bodies)).filter((text) => text.includes(secret)),
  };
}
