import { describe, expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";
import { bytesOf } from "./stage/bytes-of.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();
const MIB = 1024 * 1024;

/** One file, once, whole; and the service counts it once. */
async function expectStoredOnce(scene: Scene, filename: string, bytes: Uint8Array): Promise<void> {
  const stored = (await scene.files()).filter(({ status }) => status === "stored");
  expect(stored).toMatchObject([{ filename, sizeBytes: bytes.length, sha256: sha256(bytes) }]);
  expect(await stage.ledger.usageOf(scene.user)).toEqual({ files: 1, bytes: bytes.length });
}

/** Lets the page's time pass in steps, and what happens outside of the page happen meanwhile. */
async function passUntil(scene: Scene, stepMs: number, look: () => number | Promise<number>, least: number) {
  const check = async () => {
    await scene.pass(stepMs);
    return look();
  };
  await expect.poll(check, { timeout: 15_000 }).toBeGreaterThanOrEqual(least);
}

const calls = (scene: Scene, action: string) => scene.app.calls.filter((call) => call.action === action);

describe("a connection", () => {
  test("that is cut in the middle of a file: the file is sent again, and stored once", async () => {
    const scene = await stage.open();
    const bytes = bytesOf("cut", 8 * MIB);
    scene.storage.next({ kind: "cut", afterBytes: 3 * MIB });
    await scene.choose(await stage.file("cut.bin", bytes));
    await scene.see("done");
    expect(scene.storage.puts).toMatchObject([{ status: 0 }, { bytes: 8 * MIB, status: 200 }]);
    await expectStoredOnce(scene, "cut.bin", bytes);
    expect(await scene.record("events")).toMatchObject([{ event: "uploaded" }]);
  });

  test("that is cut five times: the file fails with a sentence, and a person may try again", async () => {
    const scene = await stage.open({ stopped: true });
    // So small that no try gets further than the one before, which would give it five new ones.
    const bytes = bytesOf("often", 10);
    scene.storage.next(...Array.from({ length: 5 }, () => ({ kind: "cut", afterBytes: 5 }) as const));
    await scene.choose(await stage.file("often.bin", bytes));
    await passUntil(scene, 1000, () => scene.rows("failed").count(), 1);
    expect(scene.storage.puts).toHaveLength(5);
    expect(await scene.row("often.bin").innerText()).toContain(
      "The connection was lost. Check it and try again.",
    );
    await scene.button("Retry often.bin").click();
    await passUntil(scene, 1000, () => scene.rows("done").count(), 1);
    await expectStoredOnce(scene, "often.bin", bytes);
  });

  test("that loses storage's answer and then breaks four times: tried again by hand, the file is found and stored once", async () => {
    const scene = await stage.open({ stopped: true });
    const bytes = bytesOf("taken", 10);
    const cut = { kind: "cut", afterBytes: 5 } as const;
    scene.storage.next({ kind: "unanswered" }, cut, cut, cut, cut);
    await scene.choose(await stage.file("taken.bin", bytes));
    await passUntil(scene, 1000, () => scene.rows("failed").count(), 1);
    await scene.button("Retry taken.bin").click();
    await passUntil(scene, 1000, () => scene.rows("done").count(), 1);
    expect(scene.storage.puts).toHaveLength(5);
    await expectStoredOnce(scene, "taken.bin", bytes);
  });

  test("that moves nothing for 30 s: the file is sent again, and stored once", async () => {
    const scene = await stage.open({ stopped: true });
    const bytes = bytesOf("stall", 16 * MIB);
    scene.storage.next({ kind: "stalled", afterBytes: MIB });
    await scene.choose(await stage.file("stall.bin", bytes));
    await passUntil(scene, 100, () => scene.storage.puts[0]?.bytes ?? 0, MIB);
    await passUntil(scene, 10_000, () => scene.rows("done").count(), 1);
    expect(scene.storage.puts).toMatchObject([{ status: 0 }, { bytes: 16 * MIB, status: 200 }]);
    await expectStoredOnce(scene, "stall.bin", bytes);
  });

  test("that is gone: the files wait, say so, and go on when it is back, each stored once", async () => {
    const scene = await stage.open({ props: { concurrency: 1 } });
    const bytes = bytesOf("offline", 8 * MIB);
    scene.storage.next({ kind: "stalled", afterBytes: MIB });
    await scene.choose(await stage.file("offline.bin", bytes), await stage.file("next.txt", "next"));
    await scene.hear("2 files added.");
    await expect.poll(() => scene.storage.puts[0]?.bytes).toBeGreaterThanOrEqual(MIB);
    await scene.context.setOffline(true);
    scene.storage.cut();
    await scene.hear("You are offline. Uploads continue when you are online again.");
    await scene.root
      .getByText("You are offline. Uploads continue when you are online again.")
      .first()
      .waitFor();
    await scene.see("requesting");
    await scene.see("queued");
    await scene.context.setOffline(false);
    await scene.see("done", 2);
    // The last two may come so close together that they are said in one breath.
    await expect
      .poll(async () => (await scene.record("spoken")).join(" "))
      .toBe(
        "2 files added. You are offline. Uploads continue when you are online again. You are online again. 2 files uploaded.",
      );
    const stored = (await scene.files()).filter(({ status }) => status === "stored");
    expect(stored).toMatchObject([
      { filename: "next.txt" },
      { filename: "offline.bin", sha256: sha256(bytes) },
    ]);
    expect(scene.storage.puts).toHaveLength(3);
  });

  test("that nobody answers on, while the browser thinks that it is online: a probe finds it back", async () => {
    const scene = await stage.open({ stopped: true });
    await scene.page.route("**/*", (route) => route.abort("connectionfailed"));
    await scene.choose(await stage.file("probe.txt", "probe"));
    await passUntil(scene, 100, () => scene.page.locator("[data-offline]").count(), 1);
    await scene.pass(20_000);
    expect(calls(scene, "request")).toEqual([]);
    expect(await scene.rows("failed").count()).toBe(0);
    await scene.page.unroute("**/*");
    await passUntil(scene, 5000, () => scene.rows("done").count(), 1);
    await expectStoredOnce(scene, "probe.txt", Buffer.from("probe"));
  });
});

describe("a URL", () => {
  test("that is good for another half minute is used again: the file keeps its path", async () => {
    const scene = await stage.open();
    scene.storage.next({ kind: "cut", afterBytes: 1000 });
    await scene.choose(await stage.file("same.txt", bytesOf("same", 5000)));
    await scene.see("done");
    expect(new Set(scene.storage.puts.map(({ path }) => path)).size).toBe(1);
    expect(await scene.files()).toHaveLength(1);
  });

  test("that has less than half a minute left is not used again: another is asked for", async () => {
    const scene = await stage.open({ stopped: true });
    const bytes = bytesOf("short", 16 * MIB);
    scene.app.sayUrlsLive(50);
    scene.storage.next({ kind: "stalled", afterBytes: MIB });
    await scene.choose(await stage.file("short.bin", bytes));
    await passUntil(scene, 100, () => scene.storage.puts[0]?.bytes ?? 0, MIB);
    await passUntil(scene, 10_000, () => scene.rows("done").count(), 1);
    expect(calls(scene, "request")).toHaveLength(2);
    expect(new Set(scene.storage.puts.map(({ path }) => path)).size).toBe(2);
    await expectStoredOnce(scene, "short.bin", bytes);
  });
});

describe("a refusal", () => {
  const EXPIRED = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";

  test.each([403, 400])("of storage by %i for an expired URL: another is asked for, once", async (status) => {
    const scene = await stage.open();
    scene.storage.next({ kind: "answered", status, body: EXPIRED });
    await scene.choose(await stage.file("expired.txt", "expired"));
    await scene.see("done");
    expect(calls(scene, "request")).toHaveLength(2);
    await expectStoredOnce(scene, "expired.txt", Buffer.from("expired"));
  });

  test("of storage that stays: the file fails at the second, without a storm", async () => {
    const scene = await stage.open();
    const refusal = { kind: "answered", status: 403, body: EXPIRED } as const;
    scene.storage.next(refusal, refusal, refusal);
    scene.app.hold("request");
    await scene.choose(await stage.file("refused.txt", "refused"));
    await scene.hear("1 file added.");
    scene.app.release("request");
    await scene.hear("refused.txt failed. The upload was refused. Try again, or choose another file.");
    expect(scene.storage.puts).toHaveLength(2);
    expect(await scene.row("refused.txt").innerText()).toContain(
      "The upload was refused. Try again, or choose another file.",
    );
    expect(await scene.record("spoken")).toHaveLength(2);
  });

  test("of the quota: the file fails at once, says why, and nothing is sent", async () => {
    const scene = await stage.open();
    await stage.ledger.setQuota(scene.user, 10);
    await scene.choose(await stage.file("big.txt", "eleven byte"));
    await scene.see("failed");
    expect(await scene.row("big.txt").innerText()).toContain(
      "The storage is full. Delete some files and try again.",
    );
    expect(calls(scene, "request")).toHaveLength(1);
    expect(scene.storage.puts).toEqual([]);
    expect(await scene.record("events")).toEqual([
      { event: "failed", name: "big.txt", what: "quota_exceeded" },
    ]);
  });

  test("of the type: the file is listed as failed, and nobody is asked", async () => {
    const scene = await stage.open({ props: { accept: [".pdf", "image/*"] } });
    await scene.choose(await stage.file("a.txt", "a"), await stage.file("b.pdf", "b"));
    await scene.see("failed");
    await scene.see("done");
    expect(await scene.row("a.txt").innerText()).toContain(
      "This type of file is not accepted. Choose PDF or images.",
    );
    expect(await scene.button("Retry a.txt").count()).toBe(0);
    expect(calls(scene, "request")).toMatchObject([{ body: { filename: "b.pdf" } }]);
  });

  test("of who is signed out: the file fails with the way in", async () => {
    const scene = await stage.open({ signedOut: true });
    await scene.choose(await stage.file("a.txt", "a"));
    await scene.see("failed");
    expect(await scene.row("a.txt").innerText()).toContain("You are signed out. Sign in and try again.");
  });
});

test("a storm of 503 is sat out: each file is stored once, and nobody is told of a failure", async () => {
  const scene = await stage.open({ stopped: true });
  const busy = {
    status: 503,
    body: { detail: "Busy", code: "unavailable" },
    headers: { "Retry-After": "2" },
  };
  scene.app.next("request", busy, busy, busy);
  scene.app.next("complete", busy, busy);
  await scene.choose(await stage.file("a.txt", "a"), await stage.file("b.txt", "bb"));
  await passUntil(scene, 1000, () => scene.rows("done").count(), 2);
  const stored = (await scene.files()).filter(({ status }) => status === "stored");
  expect(stored.map(({ filename }) => filename).sort()).toEqual(["a.txt", "b.txt"]);
  expect((await scene.record("events")).map(({ event }) => event)).toEqual(["uploaded", "uploaded"]);
  expect(await stage.ledger.usageOf(scene.user)).toEqual({ files: 2, bytes: 3 });
});
