import { PutObjectCommand } from "@aws-sdk/client-s3";
import { describe, expect, inject, test } from "vitest";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { storageClient } from "../fixtures/storage-client.js";
import { aWidgetHarness, type WidgetPage } from "./fixtures/a-widget-harness.js";
import { pseudoRandomBytes } from "./fixtures/pseudo-random-bytes.js";
import { sha256 } from "./fixtures/backend.js";

const harness = aWidgetHarness();
const MIB = 1024 * 1024;

/** Expects exactly one complete file in storage, counted once. */
async function expectStoredOnce(widget: WidgetPage, filename: string, bytes: Uint8Array): Promise<void> {
  const stored = (await widget.files()).filter(({ status }) => status === "stored");
  expect(stored).toMatchObject([{ filename, sizeBytes: bytes.length, sha256: sha256(bytes) }]);
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 1, bytes: bytes.length });
}

/** Some waits take 300 steps, and a busy machine needs a tenth of a second for one. */
const manySteps = { timeout: 90_000 };

/**
 * Advances the page's clock in steps until the value is at least `minimum`. Network calls run in real time meanwhile. The steps are
 * short until they have ended, so that the widget of a slow machine does not give them up.
 *
 * @param stepMs below the 30 s after which the widget gives up a call, because a call may begin within a step
 */
async function advanceTimeUntil(
  widget: WidgetPage,
  stepMs: number,
  readValue: () => number | Promise<number>,
  minimum: number,
) {
  const check = async () => {
    await widget.advanceTime(widget.pendingRequests() > 0 ? Math.min(stepMs, 100) : stepMs);
    return readValue();
  };
  await expect.poll(check, manySteps).toBeGreaterThanOrEqual(minimum);
}

/** Advances the page's clock until the row has the text, which it draws a moment after its status changed. */
function advanceTimeUntilText(widget: WidgetPage, name: string, text: string): Promise<void> {
  return advanceTimeUntil(widget, 100, () => widget.row(name).getByText(text).count(), 1);
}

/**
 * Waits until the PUT after a stalled one has stored the file. A PUT without progress for 30 s counts as stalled, so the steps are
 * short enough for the second PUT to make progress in real time.
 */
async function waitForPutAfterStall(widget: WidgetPage) {
  const countPuts = async () => {
    await widget.advanceTime(1000);
    return widget.storage.puts.length;
  };
  await expect.poll(countPuts, manySteps).toBe(2);
  await advanceTimeUntil(widget, 100, () => widget.rows("done").count(), 1);
}

const calls = (widget: WidgetPage, action: string) =>
  widget.app.calls.filter((call) => call.action === action);

describe("a connection that", () => {
  test("is cut during a file: the widget sends the file again and it is stored once", async () => {
    const widget = await harness.open();
    const bytes = pseudoRandomBytes("cut", 8 * MIB);
    widget.storage.nextPuts({ kind: "cut", afterBytes: 3 * MIB });
    await widget.choose(await harness.file("cut.bin", bytes));
    await widget.waitForRows("done");
    expect(widget.storage.puts).toMatchObject([{ status: 0 }, { bytes: 8 * MIB, status: 200 }]);
    await expectStoredOnce(widget, "cut.bin", bytes);
    await expect.poll(() => widget.recorded("events")).toMatchObject([{ event: "uploaded" }]);
  });

  test("is cut five times: the file fails with a message, and the user can retry it", async () => {
    const widget = await harness.open({ fakeClock: true });
    // The file is so small that no attempt gets further than the last one: progress would allow five more attempts.
    const bytes = pseudoRandomBytes("often", 10);
    widget.storage.nextPuts(...Array.from({ length: 5 }, () => ({ kind: "cut", afterBytes: 5 }) as const));
    await widget.choose(await harness.file("often.bin", bytes));
    await advanceTimeUntil(widget, 1000, () => widget.rows("failed").count(), 1);
    expect(widget.storage.puts).toHaveLength(5);
    await advanceTimeUntilText(
      widget,
      "often.bin",
      "The storage cannot be reached. Check your connection, or try again later.",
    );
    await widget.button("Retry often.bin").click();
    await advanceTimeUntil(widget, 1000, () => widget.rows("done").count(), 1);
    await expectStoredOnce(widget, "often.bin", bytes);
  });

  test("loses storage's response and then breaks four times: a retry by the user finds the stored file", async () => {
    const widget = await harness.open({ fakeClock: true });
    const bytes = pseudoRandomBytes("taken", 10);
    const cut = { kind: "cut", afterBytes: 5 } as const;
    widget.storage.nextPuts({ kind: "response-lost" }, cut, cut, cut, cut);
    await widget.choose(await harness.file("taken.bin", bytes));
    await advanceTimeUntil(widget, 1000, () => widget.rows("failed").count(), 1);
    await widget.button("Retry taken.bin").click();
    await advanceTimeUntil(widget, 1000, () => widget.rows("done").count(), 1);
    expect(widget.storage.puts).toHaveLength(5);
    await expectStoredOnce(widget, "taken.bin", bytes);
  });

  test("transfers nothing for 30 s: the widget sends the file again and it is stored once", async () => {
    const widget = await harness.open({ fakeClock: true });
    const bytes = pseudoRandomBytes("stall", 16 * MIB);
    widget.storage.nextPuts({ kind: "stalled", afterBytes: MIB });
    await widget.choose(await harness.file("stall.bin", bytes));
    await advanceTimeUntil(widget, 100, () => widget.storage.puts[0]?.bytes ?? 0, MIB);
    await waitForPutAfterStall(widget);
    expect(widget.storage.puts).toMatchObject([{ status: 0 }, { bytes: 16 * MIB, status: 200 }]);
    await expectStoredOnce(widget, "stall.bin", bytes);
  });

  test("is offline: the files wait, the widget announces it, and each file is stored once when it is back", async () => {
    const widget = await harness.open({ props: { concurrency: 1 } });
    const bytes = pseudoRandomBytes("offline", 8 * MIB);
    widget.storage.nextPuts({ kind: "stalled", afterBytes: MIB });
    await widget.choose(await harness.file("offline.bin", bytes), await harness.file("next.txt", "next"));
    await widget.waitForAnnouncement("2 files added.");
    await expect.poll(() => widget.storage.puts[0]?.bytes).toBeGreaterThanOrEqual(MIB);
    await widget.context.setOffline(true);
    widget.storage.cut();
    await widget.waitForAnnouncement("You are offline. Uploads continue when you are online again.");
    await widget.root
      .getByText("You are offline. Uploads continue when you are online again.")
      .first()
      .waitFor();
    await widget.waitForRows("requesting");
    await widget.waitForRows("queued");
    await widget.context.setOffline(false);
    await widget.waitForRows("done", 2);
    // The last two may follow each other so closely that they are announced together.
    await expect
      .poll(async () => (await widget.announced()).join(" "))
      .toBe(
        "2 files added. You are offline. Uploads continue when you are online again. You are online again. 2 files uploaded.",
      );
    const stored = (await widget.files()).filter(({ status }) => status === "stored");
    expect(stored).toMatchObject([
      { filename: "next.txt" },
      { filename: "offline.bin", sha256: sha256(bytes) },
    ]);
    expect(widget.storage.puts).toHaveLength(3);
  });

  test("is down while the browser reports to be online: the widget detects by a probe when it is back", async () => {
    const widget = await harness.open({ fakeClock: true });
    await widget.page.route("**/*", (route) => route.abort("connectionfailed"));
    await widget.choose(await harness.file("probe.txt", "probe"));
    await advanceTimeUntil(widget, 100, () => widget.page.locator("[data-unreachable]").count(), 1);
    await widget.advanceTime(20_000);
    expect(calls(widget, "request")).toEqual([]);
    expect(await widget.rows("failed").count()).toBe(0);
    await widget.page.unroute("**/*");
    await advanceTimeUntil(widget, 5000, () => widget.rows("done").count(), 1);
    await expectStoredOnce(widget, "probe.txt", Buffer.from("probe"));
  });
});

describe("bytes that the page does not see leave", () => {
  /** Longer than a line with progress may be silent, and than storage has for its answer in any case. */
  const LONG_MS = 150_000;

  test("a virus scanner takes all bytes at once and sends them slowly: the file is sent once", async () => {
    const widget = await harness.open({ fakeClock: true });
    await widget.page.evaluate(() => {
      const { prototype } = XMLHttpRequest;
      const send = prototype.send;
      prototype.send = function (body) {
        this.upload.addEventListener("load", () => void (document.title = "sent"));
        send.call(this, body);
      };
    });
    const bytes = pseudoRandomBytes("buffered", MIB);
    widget.storage.nextPuts({ kind: "buffered" });
    await widget.choose(await harness.file("buffered.bin", bytes));
    await advanceTimeUntil(widget, 100, () => widget.storage.puts[0]?.bytes ?? 0, MIB);
    // The page has learned that all bytes have left.
    await expect.poll(() => widget.page.title()).toBe("sent");
    const receiving = widget.row("buffered.bin").getByText("Storage is still receiving this file");
    await widget.advanceTime(3000);
    expect(await receiving.count()).toBe(0);
    await widget.advanceTime(LONG_MS);
    await receiving.waitFor();
    await saveScreenshot(widget.page, "storage-is-receiving");
    widget.storage.release();
    await advanceTimeUntil(widget, 100, () => widget.rows("done").count(), 1);
    expect(widget.storage.puts).toMatchObject([{ bytes: MIB, status: 200 }]);
    await expectStoredOnce(widget, "buffered.bin", bytes);
  });

  test("a proxy takes six files at once and forwards 50 kB a second of all: no byte is sent twice", async () => {
    const widget = await harness.open({ fakeClock: true });
    const sizeBytes = 3_000_000;
    const files = Array.from({ length: 6 }, (_, index) =>
      harness.file(`${index}.bin`, pseudoRandomBytes(`slow ${index}`, sizeBytes)),
    );
    // The clock of the page runs twenty times as fast.
    const slow = { kind: "forwarded-slowly", bytesPerSecond: (50_000 / 6) * 20 } as const;
    widget.storage.nextPuts(...Array.from({ length: 100 }, () => slow));
    await widget.choose(...(await Promise.all(files)));
    const taken = () => widget.storage.puts.filter(({ bytes }) => bytes === sizeBytes).length;
    await advanceTimeUntil(widget, 100, taken, 6);
    const isDone = async () => {
      await widget.advanceTime(1000);
      return widget.rows("done").count();
    };
    await expect.poll(isDone, { timeout: 90_000, interval: 50 }).toBe(6);
    expect(widget.storage.puts.map(({ bytes }) => bytes)).toEqual(Array.from(files, () => sizeBytes));
  });

  test("a service worker sends the requests itself: the file is sent once", async () => {
    const widget = await harness.open({ fakeClock: true });
    await widget.page.evaluate(async () => {
      await navigator.serviceWorker.register("/forwarding-worker.js");
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    });
    const bytes = pseudoRandomBytes("worker", MIB);
    widget.storage.nextPuts({ kind: "held" });
    await widget.choose(await harness.file("worker.bin", bytes));
    await advanceTimeUntil(widget, 100, () => widget.storage.puts.length, 1);
    await widget.advanceTime(LONG_MS);
    await widget.waitForRows("uploading");
    widget.storage.release();
    await advanceTimeUntil(widget, 100, () => widget.rows("done").count(), 1);
    expect(widget.storage.puts).toMatchObject([{ bytes: MIB, status: 200 }]);
    await expectStoredOnce(widget, "worker.bin", bytes);
  });
});

describe("a backend that", () => {
  /** What a page loads after the first view. */
  const LATER_CODE = ["uploads", "http-calls", "styled-files"];
  const NOT_REACHED = "The server cannot be reached. Uploads continue when it answers.";

  /** The hints of the widget in the console. */
  function hintsOf(widget: WidgetPage): string[] {
    const hints: string[] = [];
    widget.page.on("console", (message) => {
      if (message.text().startsWith("Stowage:")) hints.push(message.text());
    });
    return hints;
  }

  test("is stopped: the widget says that the server is not reached, and fails after five minutes", async () => {
    const loaded: string[] = [];
    const widget = await harness.open({
      fakeClock: true,
      development: true,
      prepare: async (page) => void page.on("requestfinished", (request) => loaded.push(request.url())),
    });
    const hints = hintsOf(widget);
    // The backend of this page serves its code too.
    for (const code of LATER_CODE) await expect.poll(() => loaded.join(" ")).toContain(`/${code}-`);
    await widget.page.waitForLoadState("networkidle");
    await widget.app.stop();
    await widget.choose(await harness.file("a.txt", "a"), await harness.file("b.txt", "b"));
    await advanceTimeUntil(widget, 100, () => widget.page.locator("[data-unreachable]").count(), 1);
    // The part that says it draws changes together, a moment later.
    await advanceTimeUntil(widget, 100, () => widget.root.getByText(NOT_REACHED).count(), 1);
    expect(await widget.page.locator("[data-offline]").count()).toBe(0);
    await advanceTimeUntil(widget, 20_000, () => widget.rows("failed").count(), 2);
    await advanceTimeUntilText(
      widget,
      "a.txt",
      "The server cannot be reached. Check your connection, or try again later.",
    );
    expect(await widget.button("Retry a.txt").count()).toBe(1);
    await expect.poll(() => hints).toHaveLength(1);
    expect(hints[0]).toContain(
      `${widget.app.url}/api/stowage got no answer. Nothing answers at this address.`,
    );
  });

  test("refuses the origin of the page: the widget says that the server is not reached, and the hint names the cure", async () => {
    const widget = await harness.open({
      development: true,
      // The page is at localhost, so this is another origin.
      inPage: () => ({ endpoint: `http://127.0.0.1:${location.port}/api/stowage` }),
    });
    const hints = hintsOf(widget);
    await widget.choose(await harness.file("a.txt", "a"), await harness.file("b.txt", "b"));
    await widget.root.getByText(NOT_REACHED).first().waitFor();
    await expect.poll(() => hints.length).toBe(1);
    expect(hints[0]).toContain(`allowedOrigins: ["${widget.app.url}"]`);
    await widget.button("Cancel all").click();
    await widget.waitForRows("cancelled", 2);
  });
});

describe("an upload URL", () => {
  test("that is valid for another 30 s is used again, so the file keeps its path", async () => {
    const widget = await harness.open();
    widget.storage.nextPuts({ kind: "cut", afterBytes: 1000 });
    await widget.choose(await harness.file("same.txt", pseudoRandomBytes("same", 5000)));
    await widget.waitForRows("done");
    expect(new Set(widget.storage.puts.map(({ path }) => path)).size).toBe(1);
    expect(await widget.files()).toHaveLength(1);
  });

  test("that expires within 30 s is replaced by a new one for the same path, so that no second file holds quota", async () => {
    const widget = await harness.open({ fakeClock: true });
    const bytes = pseudoRandomBytes("short", 16 * MIB);
    widget.app.setUrlLifetime(50);
    widget.storage.nextPuts({ kind: "stalled", afterBytes: MIB });
    await widget.choose(await harness.file("short.bin", bytes));
    await advanceTimeUntil(widget, 100, () => widget.storage.puts[0]?.bytes ?? 0, MIB);
    await waitForPutAfterStall(widget);
    expect(calls(widget, "request")).toHaveLength(2);
    expect(new Set(widget.storage.puts.map(({ path }) => path)).size).toBe(1);
    expect(await widget.files()).toHaveLength(1);
    await expectStoredOnce(widget, "short.bin", bytes);
  });
});

describe("a refusal", () => {
  const EXPIRED = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";

  test.each([403, 400])(
    "by storage with status %i for an expired URL: the widget requests one new URL",
    async (status) => {
      const widget = await harness.open();
      widget.storage.nextPuts({ kind: "responds", status, body: EXPIRED });
      await widget.choose(await harness.file("expired.txt", "expired"));
      await widget.waitForRows("done");
      expect(calls(widget, "request")).toHaveLength(2);
      await expectStoredOnce(widget, "expired.txt", Buffer.from("expired"));
    },
  );

  test("by storage that is repeated: the file fails after the second attempt", async () => {
    const widget = await harness.open();
    const refusal = { kind: "responds", status: 403, body: EXPIRED } as const;
    widget.storage.nextPuts(refusal, refusal, refusal);
    widget.app.hold("request");
    await widget.choose(await harness.file("refused.txt", "refused"));
    await widget.waitForAnnouncement("1 file added.");
    widget.app.release("request");
    await widget.waitForAnnouncement(
      "refused.txt failed. Storage refused the upload. Try again, or contact the support of this site.",
    );
    expect(widget.storage.puts).toHaveLength(2);
    expect(await widget.row("refused.txt").innerText()).toContain(
      "Storage refused the upload. Try again, or contact the support of this site.",
    );
    expect(await widget.announced()).toHaveLength(2);
  });

  test("by a bucket with Object Lock, which demands an MD5: the widget sends it, for the next file at once", async () => {
    const widget = await harness.open();
    let refusals = 0;
    await widget.page.route(/\/projects\//, async (route) => {
      const request = route.request();
      if (request.method() !== "PUT" || request.headers()["content-md5"]) return route.fallback();
      refusals++;
      const body =
        "<Error><Code>InvalidRequest</Code><Message>Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters</Message></Error>";
      return route.fulfill({ status: 400, headers: { "Access-Control-Allow-Origin": "*" }, body });
    });
    for (const [index, name] of ["a.bin", "empty.bin", "b.bin"].entries()) {
      const bytes = name === "empty.bin" ? "" : pseudoRandomBytes(name, 700_000);
      await widget.choose(await harness.file(name, bytes));
      await widget.waitForRows("done", index + 1);
    }
    // dev-store has compared the bytes with their MD5.
    expect(widget.storage.puts.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(refusals).toBe(1);
  });

  test("of the site's own API key: the row says that the site has a problem", async () => {
    const stowage = { apiKey: `stow_live_${"0".repeat(49)}` };
    const widget = await harness.open({ stowage });
    await widget.choose(await harness.file("a.txt", "hello"));
    await widget
      .row("a.txt")
      .getByText("This site has a problem. Try again later, or contact its support.")
      .waitFor();
    expect(widget.storage.puts).toEqual([]);
  });

  test("because storage has more bytes than the quota has left: the row says that the storage is full, and nothing stays", async () => {
    const widget = await harness.open();
    await harness.backend.setQuota(widget.user, 1000);
    // As storage that does not check the signed length.
    await widget.page.route(/\/projects\//, async (route) => {
      if (route.request().method() !== "PUT") return route.fallback();
      const Key = decodeURIComponent(new URL(route.request().url()).pathname.split("/").slice(2).join("/"));
      const client = storageClient(inject("stowage").storage);
      await client.send(
        new PutObjectCommand({
          Bucket: inject("stowage").storage["S3_BUCKET"],
          Key,
          Body: "x".repeat(10_000),
        }),
      );
      client.destroy();
      return route.fulfill({ status: 200, headers: { "Access-Control-Allow-Origin": "*" } });
    });
    await widget.choose(await harness.file("grown.txt", pseudoRandomBytes("grown", 900)));
    await widget
      .row("grown.txt")
      .getByText(
        "There is not enough storage left for this file. Free some space, or contact the support of this site.",
      )
      .waitFor();
    await expect.poll(async () => (await widget.files()).filter(({ sha256 }) => sha256 !== null)).toEqual([]);
    expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 0, bytes: 0 });
    expect(await harness.backend.reservedBytesOf(widget.user)).toBe(0);
  });

  test("because of the quota: the file fails immediately with the reason, and nothing is sent", async () => {
    const widget = await harness.open();
    await harness.backend.setQuota(widget.user, 10);
    await widget.choose(await harness.file("big.txt", "eleven byte"));
    await widget.waitForRows("failed");
    expect(await widget.row("big.txt").innerText()).toContain(
      "There is not enough storage left for this file. Free some space, or contact the support of this site.",
    );
    expect(calls(widget, "request")).toHaveLength(1);
    expect(widget.storage.puts).toEqual([]);
    await expect
      .poll(() => widget.recorded("events"))
      .toEqual([{ event: "failed", name: "big.txt", detail: "quota_exceeded" }]);
  });

  test("because of the type: the file is listed as failed without a request", async () => {
    const widget = await harness.open({ props: { accept: [".pdf", "image/*"] } });
    await widget.choose(await harness.file("a.txt", "a"), await harness.file("b.pdf", "b"));
    await widget.waitForRows("failed");
    await widget.waitForRows("done");
    expect(await widget.row("a.txt").innerText()).toContain(
      "This type of file is not accepted. Choose PDF or images.",
    );
    expect(await widget.button("Retry a.txt").count()).toBe(0);
    expect(calls(widget, "request")).toMatchObject([{ body: { filename: "b.pdf" } }]);
  });

  test("because the user is signed out: the file fails and asks the user to sign in", async () => {
    const widget = await harness.open({ signedOut: true });
    await widget.choose(await harness.file("a.txt", "a"));
    await widget.waitForRows("failed");
    expect(await widget.row("a.txt").innerText()).toContain("You are signed out. Sign in and try again.");
  });
});

test("waits while the backend answers 503, and stores each file once without a reported failure", async () => {
  const widget = await harness.open({ fakeClock: true });
  const busy = {
    status: 503,
    body: { detail: "Busy", code: "unavailable" },
    headers: { "Retry-After": "2" },
  };
  widget.app.nextResponses("request", busy, busy, busy);
  widget.app.nextResponses("complete", busy, busy);
  await widget.choose(await harness.file("a.txt", "a"), await harness.file("b.txt", "bb"));
  await advanceTimeUntil(widget, 1000, () => widget.rows("done").count(), 2);
  const stored = (await widget.files()).filter(({ status }) => status === "stored");
  expect(stored.map(({ filename }) => filename).sort()).toEqual(["a.txt", "b.txt"]);
  expect((await widget.recorded("events")).map(({ event }) => event)).toEqual(["uploaded", "uploaded"]);
  expect(await harness.backend.usageOf(widget.user)).toEqual({ files: 2, bytes: 3 });
});
