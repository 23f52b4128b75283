import { expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";
import { bytesOf } from "./stage/bytes-of.js";
import type { Fate } from "./stage/faulty-storage.js";
import { sha256 } from "./stage/stored-files.js";

const stage = aStage();
const FILES = 100;
/** More than the PUTs that such a line needs. */
const PUTS = 2000;

/** PUTs that break on their way, at their very last byte, or with storage's answer on the way back. */
function fatesOf(breaks: (index: number) => boolean): Fate[] {
  const kinds: Fate[] = [
    { kind: "cut", afterBytes: 2000 },
    { kind: "unanswered" },
    { kind: "cut", afterBytes: 0 },
    { kind: "cut", afterBytes: 20_000 },
  ];
  let broken = 0;
  return Array.from({ length: PUTS }, (_, index) =>
    breaks(index) ? kinds[broken++ % kinds.length]! : { kind: "passed" },
  );
}

/** Every fifth answer of the backend is lost on its way back: what was asked for has been done all the same. */
async function loseAnswers(scene: Scene): Promise<void> {
  let calls = 0;
  await scene.page.route(/\/api\/stowage\/(request|complete)/, async (route) => {
    if (++calls % 5 !== 0) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
}

test.each([
  ["breaks with every third PUT", (index: number) => index % 3 === 2, 1.3],
  ["loses two PUTs of three", (index: number) => index % 3 !== 2, 2],
] as const)(
  "100 files over a line that %s: each stored once, whole, under its own name",
  async (_, breaks, least) => {
    const scene = await stage.open();
    const files = Array.from({ length: FILES }, (_, index) => {
      const name = `file-${String(index).padStart(3, "0")}.bin`;
      // Many of one size, some larger than what a socket swallows at once, and one without a byte.
      const size = index === 50 ? 0 : index % 20 === 7 ? 1_500_000 + index : 3000 * (1 + (index % 10));
      return { name, bytes: bytesOf(name, size) };
    });
    scene.storage.next(...fatesOf(breaks));
    await loseAnswers(scene);
    await scene.choose(...(await Promise.all(files.map(({ name, bytes }) => stage.file(name, bytes)))));

    // Whoever meets five breaks in a row has failed for now, and is tried again by hand.
    const ended = async () => {
      if (await scene.button("Retry failed").isVisible()) await scene.button("Retry failed").click();
      else
        for (const retry of await scene.root.getByRole("button", { name: /^Retry file/ }).all())
          await retry.click();
      return scene.page.evaluate(
        () => window.stage.events.filter(({ event }) => event === "uploaded").length,
      );
    };
    await expect.poll(ended, { timeout: 50_000, interval: 500 }).toBe(FILES);

    const rows = await scene.files();
    const stored = rows.filter(({ status }) => status === "stored");
    expect(stored.map(({ filename, sizeBytes, sha256 }) => [filename, sizeBytes, sha256])).toEqual(
      files.map(({ name, bytes }) => [name, bytes.length, sha256(bytes)]),
    );
    // A row that was asked for in vain has nothing in storage: no second copy lies about.
    expect(rows.filter(({ status, sha256 }) => status !== "stored" && sha256 !== null)).toEqual([]);
    const told = (await scene.record("events")).filter(({ event }) => event === "uploaded");
    expect(told.map(({ name, what }) => `${name} ${what}`).sort()).toEqual(
      stored.map(({ filename, path }) => `${filename} ${path}`).sort(),
    );
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    expect(await stage.ledger.usageOf(scene.user)).toEqual({ files: FILES, bytes });
    expect(scene.storage.puts.length).toBeGreaterThan(FILES * least);
  },
);
