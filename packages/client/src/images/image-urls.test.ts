import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { aMoment, turns } from "../../test/store.js";
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
  /** Lets time pass. In each second there are two calls at most. */
  async function passSeconds(count: number) {
    for (let second = 0; second < count; second++) {
      const before = calls.length;
      runtime.advance(1_000);
      await turns(5);
      expect(calls.length - before).toBeLessThanOrEqual(2);
    }
  }
  return { runtime, calls, urls, statusOf, watch: (path: string) => urls.watch(path, () => {}), passSeconds };
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
  const { runtime, watch, calls, statusOf, passSeconds } = aGallery((path, call) =>
    path === "slow" && call > 2 ? "ready" : "variant_pending",
  );
  watch("slow");
  watch("never");
  await passSeconds(90);
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

test("a file that is no image is not asked for again when it comes back into view", async () => {
  const { watch, calls, statusOf } = aGallery(() => "variant_impossible");
  const stop = watch("a");
  await until(() => expect(statusOf("a")).toBe("failed"));
  stop();
  expect(statusOf("a")).toBe("failed");
  watch("a");
  await aMoment();
  expect(calls).toHaveLength(1);
});

test.each([
  ["a backend that fails", new UploadError("internal_error", { status: 500 })],
  ["a network that is down", new UploadError("network_error")],
])("%s is asked eleven times, and again when the image comes back into view", async (_, error) => {
  let isDown = true;
  const { runtime, watch, calls, statusOf, passSeconds } = aGallery(() => {
    if (isDown) throw error;
    return "ready";
  });
  const stop = watch("a");
  await passSeconds(90);
  expect(statusOf("a")).toBe("failed");
  expect(calls).toHaveLength(11);
  expect(runtime.pendingMs()).toEqual([]);
  isDown = false;
  stop();
  watch("a");
  await until(() => expect(statusOf("a")).toBe("ready"));
});

test("asks again as soon as the browser is online, but not for what no attempt can change", async () => {
  let isDown = true;
  const { runtime, watch, urls, calls, statusOf, passSeconds } = aGallery((path) => {
    if (path === "text") return "variant_impossible";
    if (isDown) throw new UploadError("network_error");
    return "ready";
  });
  watch("text");
  await until(() => expect(statusOf("text")).toBe("failed"));
  const stop = watch("away");
  watch("a");
  await passSeconds(90);
  stop();
  runtime.setOnline(false);
  await aMoment();
  expect(calls).toHaveLength(12);
  isDown = false;
  runtime.setOnline(true);
  await until(() => expect(statusOf("a")).toBe("ready"));
  expect(calls.slice(12).map(({ file_paths }) => file_paths)).toEqual([["a"]]);
  urls.stop();
  expect(runtime.connectionListeners()).toBe(0);
});

test("the network comes back during a pause: the pause ends, and no second series of attempts begins", async () => {
  let isDown = true;
  const { runtime, watch, statusOf } = aGallery(() => {
    if (isDown) throw new UploadError("network_error");
    return "ready";
  });
  watch("a");
  await until(() => expect(runtime.pendingMs()).toEqual([500]));
  isDown = false;
  runtime.setOnline(true);
  await until(() => expect(statusOf("a")).toBe("ready"));
  expect(runtime.pendingMs()).toEqual([]);
});

test("an image that cannot be loaded has failed if its URL cannot be renewed, such as after a sign-out", async () => {
  const { runtime, watch, urls, calls, statusOf } = aGallery((_, call) => {
    if (call > 1) throw new UploadError("unauthorized", { status: 401 });
    return "ready";
  });
  watch("a");
  await until(() => expect(statusOf("a")).toBe("ready"));
  urls.reportBroken("a");
  runtime.advance(0);
  await until(() => expect(statusOf("a")).toBe("failed"));
  expect(calls).toHaveLength(2);
});

test("waits as long as the backend says before it repeats a call that failed", async () => {
  const { runtime, watch, calls, statusOf } = aGallery((_, call) => {
    if (call === 1) throw new UploadError("unavailable", { status: 503, retryAfterMs: 20_000 });
    return "ready";
  });
  watch("a");
  await until(() => expect(runtime.pendingMs()).toEqual([20_000]));
  runtime.advance(19_999);
  await aMoment();
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
  await aMoment();
  expect(calls).toHaveLength(1);
  runtime.advance(60_000);
  expect(urls.get("a").status).toBe("loading");
  watch("a");
  await until(() => expect(urls.get("a")).toMatchObject({ version: 2 }));
});
