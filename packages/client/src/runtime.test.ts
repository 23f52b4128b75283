import { afterEach, expect, test, vi } from "vitest";
import { browserRuntime } from "./runtime.js";

afterEach(() => vi.unstubAllGlobals());

const { withLock, markPath, markedPaths } = browserRuntime;
const neverAborted = new AbortController().signal;

test("works without locks where the browser has none, or refuses them to the page", async () => {
  const refused = () => Promise.reject(new DOMException("Not in this frame", "SecurityError"));
  for (const locks of [undefined, { request: refused, query: refused }]) {
    vi.stubGlobal("navigator", { locks });
    expect(await withLock("shared", neverAborted, async () => "answer")).toBe("answer");
    markPath("p/1")();
    expect(await markedPaths()).toEqual([]);
  }
});

test("runs work once, and passes its failure on", async () => {
  const request = (_name: string, _options: object, work: () => Promise<unknown>) => work();
  vi.stubGlobal("navigator", { locks: { request } });
  const work = vi.fn(() => Promise.reject(new Error("The work failed")));
  await expect(withLock("exclusive", neverAborted, work)).rejects.toThrow("The work failed");
  expect(work).toHaveBeenCalledOnce();
});

test("does not run work that was aborted while it waited", async () => {
  const waiting = new AbortController();
  const request = (_name: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  vi.stubGlobal("navigator", { locks: { request } });
  const work = vi.fn(async () => {});
  const result = withLock("shared", waiting.signal, work);
  waiting.abort(new Error("Cancelled"));
  await expect(result).rejects.toThrow("Cancelled");
  expect(work).not.toHaveBeenCalled();
});
