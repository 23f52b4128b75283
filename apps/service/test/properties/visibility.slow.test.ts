import { deleteRequest, parse, StowageError } from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#files/deliver/create-download.js";
import { findFile } from "#files/find-file.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { moveFiles } from "#files/visibility/move-file.js";
import { setVisibility } from "#files/visibility/set-visibility.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { Crash, crashingDeps } from "./crash.js";

/*
 * Random histories of files that become public and private, are deleted, restored and replaced by replays, while the processes die at
 * random calls. After each step the answers of the API must be true for a stranger:
 * - a file that the API calls private, and a deleted one, is not read without a signature
 * - a public_url reads the bytes of the file
 * - a stored file can be downloaded with a signed URL
 * The seeds are fixed, so every run tests the same histories.
 */
const HISTORIES = 25;
const SEEDS = [20261201, 20261202];
const MAX_STEPS = 14;
const LEASE_MS = 5 * 60_000;

const death = fc.option(
  fc.record({ call: fc.nat(12), when: fc.constantFrom("before" as const, "after" as const) }),
  {
    freq: 2,
  },
);
const action = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("upload" as const), isPublic: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("public" as const, "private" as const), file: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("delete" as const, "restore" as const, "replay" as const),
      file: fc.nat(3),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("move" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
);
const steps = fc.array(fc.tuple(action, death), { minLength: 3, maxLength: MAX_STEPS });
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
type Death = typeof death extends fc.Arbitrary<infer Value> ? Value : never;

interface Known extends RequestedUpload {
  /** What the object may have: the first bytes, and those of replays. */
  bytes: string[];
}

let world: World;
beforeAll(async () => {
  world = await aWorld(null, inject("publicBucket")!);
});
afterAll(() => world.close());

class History {
  readonly files: Known[] = [];
  readonly project: Awaited<ReturnType<World["project"]>>;

  constructor(project: Awaited<ReturnType<World["project"]>>) {
    this.project = project;
  }

  async step(action: Action, death: Death): Promise<void> {
    const deps = death ? crashingDeps(world.deps, death) : world.deps;
    try {
      await this.act(action, deps);
    } catch (error) {
      if (!(error instanceof Crash) && !(error instanceof StowageError)) throw error;
    }
  }

  private async act(action: Action, deps: World["deps"]): Promise<unknown> {
    switch (action.do) {
      case "upload": {
        const bytes = `bytes ${this.files.length}`;
        const upload = await world.upload(this.project, {
          visibility: action.isPublic ? "public" : "private",
        });
        this.files.push({ ...upload, bytes: [bytes] });
        expect(await put(upload, bytes)).toBe(200);
        return settleUpload(world.deps, this.project.id, upload.filePath);
      }
      case "move":
        return moveFiles(deps, { afterProject: 0 });
      case "wait":
        return world.advance(LEASE_MS);
      default:
        return this.actOn(action.do, this.files[action.file % Math.max(1, this.files.length)], deps);
    }
  }

  private async actOn(
    what: Exclude<Action["do"], "upload" | "move" | "wait">,
    file: Known | undefined,
    deps: World["deps"],
  ): Promise<unknown> {
    if (!file) return;
    const { filePath } = file;
    const one = { paths: [filePath], mustExist: true, tenantId: undefined };
    switch (what) {
      case "public":
      case "private":
        return setVisibility({ ...deps, settling: deps }, this.project, {
          filePath,
          tenantId: undefined,
          visibility: what,
        });
      case "delete":
        return deleteFiles(deps, this.project, parse(deleteRequest, { file_path: filePath }));
      case "restore":
        return restoreFiles(deps, this.project, one);
      case "replay":
        file.bytes.push(`${file.bytes[0]} again`);
        expect(await put(file, file.bytes.at(-1)!)).toBe(200);
        return settleUpload(deps, this.project.id, filePath);
    }
  }

  /** A test cannot advance storage's clock, so URLs are signed for the real time. */
  private reading() {
    const { store } = world.deps;
    const now = <Options extends { signedAt: Date }>(options: Options) => ({
      ...options,
      signedAt: new Date(),
    });
    const presigning = {
      ...store,
      presignGet: (options: Parameters<typeof store.presignGet>[0]) => store.presignGet(now(options)),
      published: store.published && {
        ...store.published,
        presignGet: (options: Parameters<typeof store.presignGet>[0]) =>
          store.published!.presignGet(now(options)),
      },
    };
    return { ...world.deps, store: presigning, settling: world.deps };
  }

  /** @param isAtRest whether everything that was begun has ended */
  async check({ isAtRest = false } = {}): Promise<void> {
    for (const { filePath, bytes } of this.files) {
      const record = await findFile(world.deps, this.project, { filePath }).catch(() => null);
      const url = world.deps.store.published!.urlOf(filePath);
      const stranger = await fetch(url);
      const text = await stranger.text();
      if (record && record.visibility === undefined) expect(stranger.status).not.toBe(200);
      if (record?.publicUrl !== undefined) {
        expect(stranger.status).toBe(200);
        expect(bytes).toContain(text);
      }
      if (record?.status === "stored") {
        const { presignedUrl } = await createDownload(this.reading(), this.project, { filePath });
        const answer = await fetch(presignedUrl);
        expect(answer.status).toBe(200);
        expect(bytes).toContain(await answer.text());
      }
      if (!isAtRest) continue;
      expect(stranger.status === 200).toBe(record?.publicUrl !== undefined);
      if (record?.status === "stored")
        expect(record.visibility === "public").toBe(record.publicUrl !== undefined);
    }
  }

  /** Ends everything that was begun. */
  async rest(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      world.advance(LEASE_MS);
      while (await moveFiles(world.deps, { afterProject: 0 })) continue;
      await world.sweep();
    }
  }
}

describe("random histories of public files", { timeout: 300_000 }, () => {
  test.each(SEEDS)(
    `no file is public against its state over ${HISTORIES} histories, seed %i`,
    async (seed) => {
      const property = fc.asyncProperty(steps, fc.constantFrom(0, 7), async (history, trashDays) => {
        const project = await world.project();
        await world.rows("update projects set trash_days = $1 where id = $2", [trashDays, project.id]);
        const known = new History(project);
        for (const [action, death] of history) {
          await known.step(action, death);
          await known.check();
        }
        await known.rest();
        await known.check({ isAtRest: true });
      });
      await fc.assert(property, { seed, numRuns: HISTORIES });
      expect(world.failures.filter((error) => !(error instanceof Crash))).toEqual([]);
    },
  );
});
