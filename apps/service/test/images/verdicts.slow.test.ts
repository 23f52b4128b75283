import { StowageError } from "@stowage/schemas";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createDownloads } from "#deliver/create-downloads.js";
import type { Decoder } from "#images/decode/decoder.js";
import { readVariantTroubles } from "#images/list-variants.js";
import { reviseVerdicts } from "#images/revise-verdicts.js";
import { aDecoder, anImageProject, anImageWorker } from "../fixtures/an-image-project.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { aPicture } from "../fixtures/hostile-images.js";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

let world: World;
let worker: ReturnType<typeof anImageWorker>;
let picture: Buffer;
beforeAll(async () => {
  world = await aWorld();
  worker = anImageWorker(world);
  picture = await aPicture(60, 40).png().toBuffer();
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

// All tests share one queue.
afterEach(() => world.rows("delete from file_variants where status = 'waiting'"));

type Project = Awaited<ReturnType<typeof anImageProject>>;

async function aWaitingVariant(bytes = picture) {
  const project = await anImageProject(world);
  const file = await project.store(bytes);
  expect(await project.download(file)).toBe("variant_pending");
  return { project, file };
}

/** Lets a worker try until the variant is not tried again. @returns the pauses as the API told them */
async function failForGood(project: Project, file: { filePath: string }, decoder: Decoder) {
  const failing = anImageWorker(world, { decoder });
  const pauses: number[] = [];
  for (;;) {
    const outcome = await failing.next();
    if (outcome === "gave_up") break;
    expect(outcome).toBe("failed");
    const { code, retryAfterSeconds = 0 } = await project.refusal(file);
    expect(code).toBe("variant_pending");
    pauses.push(retryAfterSeconds);
    world.advance((retryAfterSeconds - 2) * SECOND);
    expect(await failing.next()).toBeNull();
    world.advance(2 * SECOND);
  }
  expect(failing.failures.map(({ outcome }) => outcome)).toEqual([...pauses.map(() => "failed"), "gave_up"]);
  await failing.close();
  return pauses;
}

describe("a decoder that gives no answer", () => {
  test("is tried again with growing pauses for a day, and then the variant has failed with a reason", async () => {
    const { project, file } = await aWaitingVariant();
    const pauses = await failForGood(project, file, aDecoder("lies"));
    expect(pauses.slice(0, 4)).toEqual([16, 31, 61, 121]);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses.length).toBe(15);
    const total = pauses.reduce((sum, seconds) => sum + seconds * SECOND, 0);
    expect([total > DAY, total < 1.1 * DAY]).toEqual([true, true]);
    const refusal = await project.refusal(file);
    expect([refusal.code, refusal.status, refusal.message]).toEqual([
      "variant_failed",
      422,
      "Variant could not be made: the decoder crashed",
    ]);
    const answer = await createDownloads({ ...world.deps, settling: world.deps }, project, {
      filePaths: [file.filePath],
      variant: "thumb",
    });
    expect(answer.refused).toMatchObject([{ code: "variant_failed" }]);
    world.advance(DAY);
    expect(await worker.next()).toBeNull();
  });

  test.each([
    ["hangs", { timeLimitMs: 100 }, "time"],
    ["lies", {}, "crashed"],
  ])("is named to operators: %s", async (name, options, failure) => {
    const { project } = await aWaitingVariant();
    const failing = anImageWorker(world, { decoder: aDecoder(name, options) });
    expect(await failing.next()).toBe("failed");
    await failing.close();
    expect(await project.rows()).toMatchObject([{ status: "waiting", failures: 1, failure }]);
    await project.retryAll();
    expect(await worker.next()).toBe("made");
    expect(await project.rows()).toMatchObject([{ status: "ready", failure: null }]);
  });

  test("for one image delays no other one", async () => {
    const { project, file: poison } = await aWaitingVariant(await aPicture(61, 41).png().toBuffer());
    const goods = await Promise.all(Array.from({ length: 3 }, () => project.store(picture)));
    const crashing = aDecoder("lies");
    const decode: Decoder["decode"] = (request, signal) =>
      (picture.equals(request.bytes) ? worker.decoder : crashing).decode(request, signal);
    const poisoned = anImageWorker(world, { decoder: { ...crashing, decode } });
    for (const good of goods) expect(await project.download(good)).toBe("variant_pending");
    for (const outcome of ["failed", "made", "made", "made", null])
      expect(await poisoned.next()).toBe(outcome);
    expect(await project.download(poison)).toBe("variant_pending");
    await poisoned.close();
  });

  test("because none starts counts against no file, and the worker pauses", async () => {
    const { project } = await aWaitingVariant();
    const broken = anImageWorker(world, { decoder: aDecoder("does-not-start") });
    for (let n = 0; n < 20; n++) {
      expect(await broken.next()).toBeNull();
      expect(broken.failures).toHaveLength(n + 1);
      expect(await broken.next()).toBeNull();
      expect(broken.failures).toHaveLength(n + 1);
      world.advance(11 * SECOND);
    }
    await broken.close();
    expect(await project.rows()).toMatchObject([{ status: "waiting", failures: 0, failure: null }]);
    expect(await worker.next()).toBe("made");
  });

  test("is no verdict if it was killed again and again and then is not", async () => {
    const { project, file } = await aWaitingVariant();
    const hanging = aDecoder("hangs");
    const killed = anImageWorker(world, { decoder: hanging });
    for (let n = 0; n < 5; n++) {
      const making = killed.next();
      await expect.poll(() => hanging.pids().length).toBe(1);
      process.kill(hanging.pids()[0]!, "SIGKILL");
      expect(["failed", null]).toContain(await making);
      world.advance(HOUR);
    }
    await killed.close();
    expect(await worker.next()).toBe("made");
    expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  });
});

test("a damaged image is impossible at once, and no retry of failed variants changes that", async () => {
  const { project, file } = await aWaitingVariant(picture.subarray(0, picture.length / 2));
  expect(await worker.next()).toBe("impossible");
  expect(await project.download(file)).toBe("variant_impossible");
  expect(await project.retryAll()).toBe(0);
  expect(await project.retryAll(true)).toBe(1);
  expect(await worker.next()).toBe("impossible");
});

test("failures of storage never end a variant, and do not count as those of the decoder", async () => {
  const { project, file } = await aWaitingVariant();
  const unlucky = anImageWorker(world, { store: { read: () => Promise.reject(new Error("down")) } });
  for (let n = 0; n < 40; n++) {
    expect(await unlucky.next()).toBe("failed");
    world.advance(HOUR / 4 + SECOND);
  }
  await unlucky.close();
  const crashing = anImageWorker(world, { decoder: aDecoder("lies") });
  expect(await crashing.next()).toBe("failed");
  await crashing.close();
  expect(await project.refusal(file)).toMatchObject({ code: "variant_pending", retryAfterSeconds: 16 });
});

describe("an operator", () => {
  test("sees failed variants and has them made again, per file and per project", async () => {
    const project = await anImageProject(world);
    const [one, other] = [await project.store(picture), await project.store(picture)];
    for (const file of [one, other]) {
      await project.download(file);
      await failForGood(project, file, aDecoder("lies"));
    }
    const troubles = await readVariantTroubles(world.deps, project);
    expect(troubles).toMatchObject({
      failed: { count: 2 },
      failing: { count: 0 },
      files: [
        { filename: "photo.png", failure: "crashed" },
        { filename: "photo.png", failure: "crashed" },
      ],
    });
    expect(await project.retry(one)).toBe(1);
    expect(await project.retry(one)).toBe(0);
    expect(await worker.next()).toBe("made");
    expect(await project.download(one)).toMatchObject({ contentType: "image/webp" });
    expect(await project.download(other)).toBe("variant_failed");
    expect(await project.retryAll()).toBe(1);
    expect(await worker.next()).toBe("made");
    const entries = await world.rows<{ action: string }>(
      "select action from audit_log where project_id = $1 and action like '%variants_retried' order by id",
      [project.id],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      "file.variants_retried",
      "project.variants_retried",
    ]);
    await expect(project.retry({ filePath: "nothing" })).rejects.toThrow(new StowageError("file_not_found"));
  });

  test("does not disturb a try that is running", async () => {
    const { project } = await aWaitingVariant();
    const crashing = anImageWorker(world, { decoder: aDecoder("lies") });
    expect(await crashing.next()).toBe("failed");
    await crashing.close();
    world.advance(15 * SECOND);
    const decode: Decoder["decode"] = async (request, signal) => {
      expect(await project.retryAll()).toBe(0);
      return worker.decoder.decode(request, signal);
    };
    const slow = anImageWorker(world, { decoder: { ...worker.decoder, decode } });
    expect(await slow.next()).toBe("made");
  });
});

/* The texts are those that versions before 0042 wrote. */
const BROKEN = [
  "the decoder ended (SIGKILL)",
  "the decoder ended (1)",
  "the decoder did not answer within 10000 ms",
  "the decoder did not start",
  "the decoder sent no answer",
  "heifsave: Memory allocation error: Security limit exceeded",
  "webp2vips: out of memory",
];
const TRUE = ["not an image", "not the image that its first bytes announce", "the file is too large"];

describe("a verdict of a version before 0042", () => {
  const setVerdict = ({ id }: Project, reason: string) =>
    world.rows(
      `update file_variants set status = 'failed', due_at = null, failures = 2, reason = $2, failure = null
       where project_id = $1`,
      [id, reason],
    );

  test.each(BROKEN)("is taken back: %s", async (reason) => {
    const [asked, eager] = [await aWaitingVariant(), await aWaitingVariant()];
    for (const { project } of [asked, eager]) await setVerdict(project, reason);
    expect(await asked.project.download(asked.file)).toBe("variant_pending");
    expect(await asked.project.rows()).toMatchObject([{ status: "waiting", failures: 0, reason: null }]);
    while (await reviseVerdicts(world.deps)) continue;
    expect(await worker.next()).toBe("made");
    expect(await worker.next()).toBe("made");
    for (const { project, file } of [asked, eager])
      expect(await project.download(file)).toMatchObject({ contentType: "image/webp" });
  });

  test.each(TRUE)("stays: %s", async (reason) => {
    const { project, file } = await aWaitingVariant();
    await setVerdict(project, reason);
    while (await reviseVerdicts(world.deps)) continue;
    expect(await project.download(file)).toBe("variant_impossible");
    expect(await worker.next()).toBeNull();
    expect(await project.rows()).toMatchObject([{ status: "failed", failure: "image", reason }]);
  });
});
