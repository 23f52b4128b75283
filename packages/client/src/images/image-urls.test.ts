import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import type { UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { createImageUrls } from "./image-urls.js";

type Downloads = Required<UploadTransport>["downloads"];
type Answer = Awaited<ReturnType<Downloads>>;
type Outcome = "ready" | "missing" | "variant_pending" | "variant_impossible";

/** @param outcomeOf what the backend answers for a file; throws to fail the call */
function aGallery(outcomeOf: (path: string, call: number) => Outcome = () => "ready") {
  const runtime = aRuntime();
  const calls: Parameters<Downloads>[0][] = [];
  const downloads: Downloads = async (body) => {
    calls.push(body);
    const answer = { downloads: [], not_found: [], refused: [] } as unknown as Record<
      keyof Answer,
      unknown[]
    >;
    for (const path of body.file_paths) {
      const outcome = outcomeOf(path, calls.length);
      const presigned_url = `https://storage.invalid/${path}?${calls.length}`;
      if (outcome === "ready") answer.downloads.push({ file_path: path, presigned_url });
      else if (outcome === "missing") answer.not_found.push(path);
      else answer.refused.push({ file_path: path, code: outcome, detail: "" });
    }
    return answer as Answer;
  };
  const urls = createImageUrls({ runtime, variant: "thumb" });
  urls.connect(() => ({ downloads }) as UploadTransport);
  const statusOf = (path: string) => urls.get(path).status;
  return { runtime, calls, urls, statusOf, watch: (path: string) => urls.watch(path, () => {}) };
}

const until = (check: () => void) => expect.poll(() => (check(), true)).toBe(true);

test("asks for the variants of the watched files, a hundred with each call", async () => {
  const { urls, watch, calls, statusOf } = aGallery();
  for (let index = 0; index < 150; index++) watch(`${index}`);
  await until(() => expect(statusOf("149")).toBe("ready"));
  expect(calls.map(({ file_paths }) => file_paths.length)).toEqual([100, 50]);
  expect(calls[0]).toMatchObject({ variant: "thumb", reuse: true, disposition: "inline" });
  expect(urls.get("149")).toMatchObject({ url: "https://storage.invalid/149?2" });
});

test("does not ask for a file that is not watched any more", async () => {
  const { watch, calls, statusOf } = aGallery();
  watch("gone")();
  watch("seen");
  await until(() => expect(statusOf("seen")).toBe("ready"));
  expect(calls.map(({ file_paths }) => file_paths)).toEqual([["seen"]]);
});

test("asks again while a variant is being made, and gives up after a minute", async () => {
  const { runtime, watch, calls, statusOf } = aGallery((path, call) =>
    path === "slow" && call > 2 ? "ready" : "variant_pending",
  );
  watch("slow");
  watch("never");
  for (let seconds = 0; seconds < 90; seconds++) {
    const before = calls.length;
    runtime.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(calls.length - before).toBeLessThanOrEqual(2);
  }
  expect(statusOf("slow")).toBe("ready");
  expect(statusOf("never")).toBe("failed");
  expect(calls.length).toBe(11);
  expect(runtime.pendingMs()).toEqual([]);
});

test("a file that was deleted is missing, and one that is no image has failed, without further calls", async () => {
  const { runtime, watch, calls, statusOf } = aGallery((path) => path as Outcome);
  watch("missing");
  watch("variant_impossible");
  await until(() => expect(statusOf("missing")).toBe("missing"));
  expect(statusOf("variant_impossible")).toBe("failed");
  runtime.advance(120_000);
  expect(calls).toHaveLength(1);
});

test("waits as long as the backend says before it repeats a call that failed", async () => {
  const { runtime, watch, calls, statusOf } = aGallery((_, call) => {
    if (call === 1) throw new UploadError("unavailable", { status: 503, retryAfterMs: 20_000 });
    return "ready";
  });
  watch("a");
  await until(() => expect(runtime.pendingMs()).toEqual([20_000]));
  runtime.advance(19_999);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toHaveLength(1);
  runtime.advance(1);
  await until(() => expect(statusOf("a")).toBe("ready"));
});

test("a refusal of the whole call fails its files", async () => {
  const { watch, statusOf } = aGallery(() => {
    throw new UploadError("download_refused", { status: 403 });
  });
  watch("a");
  await until(() => expect(statusOf("a")).toBe("failed"));
});

test("gets a new URL when the browser cannot load one, four times at most", async () => {
  const { runtime, watch, urls, calls, statusOf } = aGallery();
  watch("a");
  for (let load = 1; load <= 4; load++) {
    await until(() => expect(urls.get("a")).toMatchObject({ version: load }));
    urls.reportBroken("a");
    runtime.advance(8_000);
  }
  expect(statusOf("a")).toBe("failed");
  expect(calls).toHaveLength(4);
});

test("an image that comes back into view keeps its URL for six minutes", async () => {
  const { runtime, watch, urls, calls } = aGallery();
  const stop = watch("a");
  await until(() => expect(calls).toHaveLength(1));
  await until(() => expect(urls.get("a").status).toBe("ready"));
  stop();
  runtime.advance(5 * 60_000);
  watch("a")();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toHaveLength(1);
  runtime.advance(60_000);
  watch("a");
  await until(() => expect(urls.get("a")).toMatchObject({ version: 2 }));
});
