import { deleteRequest, parse, StowageError } from "@stowage/schemas";
import fc from "fast-check";
import { expect } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#files/deliver/create-download.js";
import { findFile } from "#files/find-file.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import type { RequestedUpload } from "#files/upload/request-upload.js";
import { moveFiles } from "#files/visibility/move-file.js";
import { setVisibility } from "#files/visibility/set-visibility.js";
import type { Decoder } from "#images/decode/decoder.js";
import { makeNextVariant } from "#images/make-variant.js";
import { savePreset } from "#images/manage-presets.js";
import { removeVariants } from "#images/remove-variants.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { replace } from "../fixtures/an-image-project.js";
import type { World } from "../fixtures/a-world.js";
import { Crash, crashingDeps } from "./crash.js";

/*
 * One history of the files of a project: they become public and private, are deleted, restored, infected and replaced by replays, their
 * variants are asked for, made and removed, while the processes die at random calls. After each step, what a stranger can read must agree
 * with what the API answers:
 * - a file that the API calls private, and a file whose delete was answered, is not read without a signature, and neither are its variants
 * - a public_url, of a file or of a variant, reads its bytes
 * - a stored file, and its variant that is ready, can be downloaded with a signed URL
 * - when everything has ended: a deleted file has no object in any bucket, and no variant has one
 */

const LEASE_MS = 5 * 60_000;
const PRESET = "thumb";

const MAX_STEPS = 14;
const death = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({ call: fc.nat(11), when: fc.constantFrom("before" as const, "after" as const) }),
  },
);
const changes = ["public", "private", "delete", "restore", "replay", "demand", "infect", "clear"] as const;
const weights: Record<(typeof changes)[number], number> = {
  public: 3,
  private: 6,
  delete: 3,
  restore: 1,
  replay: 1,
  demand: 2,
  infect: 1,
  clear: 1,
};
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("upload" as const), isPublic: fc.boolean() }) },
  ...changes.map((change) => ({
    weight: weights[change],
    arbitrary: fc.record({ do: fc.constant(change), file: fc.nat(1) }),
  })),
  // Often, because most files are made, published and at rest when something happens to them.
  { weight: 6, arbitrary: fc.record({ do: fc.constant("work" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("move" as const, "make" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove variants" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("change preset" as const), width: fc.constantFrom(4, 5) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
type Death = typeof death extends fc.Arbitrary<infer Value> ? Value : never;

/** The steps, and for how many days the project keeps deleted files. */
export const histories = fc.tuple(
  fc.array(fc.tuple(action, death), { minLength: 4, maxLength: MAX_STEPS }),
  fc.constantFrom(0, 0, 7),
);

interface Known extends RequestedUpload {
  /** What the object may have: the first bytes, and those of replays. */
  bytes: Buffer[];
  /** Whether a call has answered that the file was deleted for good. */
  isGone: boolean;
  /** The paths of all its variants that ever were. */
  variants: Set<string>;
}

type Project = Awaited<ReturnType<World["project"]>>;

export interface Stage {
  world: World;
  decoder: Decoder;
  /** Different images. */
  pictures: Buffer[];
}

/** Runs one history and checks it after each step. */
export async function expectTrueHistory(
  stage: Stage,
  [steps, trashDays]: typeof histories extends fc.Arbitrary<infer V> ? V : never,
) {
  const project = await stage.world.project();
  await stage.world.rows("update projects set trash_days = $1 where id = $2", [trashDays, project.id]);
  const history = new History(stage, project, trashDays);
  await history.changePreset(4);
  await history.step({ do: "upload", isPublic: true }, null);
  await history.step({ do: "work" }, null);
  for (const [action, death] of steps) {
    await history.step(action, death);
    await history.check();
  }
  await history.rest();
  await history.check({ isAtRest: true });
}

class History {
  private readonly files: Known[] = [];
  private readonly stage: Stage;
  private readonly project: Project;
  private readonly trashDays: number;

  constructor(stage: Stage, project: Project, trashDays: number) {
    this.stage = stage;
    this.project = project;
    this.trashDays = trashDays;
  }

  private get world(): World {
    return this.stage.world;
  }

  changePreset(width: number, deps = this.world.deps) {
    const preset = { name: PRESET, width, height: null, fit: "inside", format: "webp", quality: 80 } as const;
    return savePreset(
      deps,
      { ...commandLineActor, project: this.project },
      { ...preset, eager: width === 5 },
    );
  }

  async step(action: Action, death: Death): Promise<void> {
    const deps = death ? crashingDeps(this.world.deps, death) : this.world.deps;
    try {
      await this.act(action, deps);
    } catch (error) {
      if (!(error instanceof Crash) && !(error instanceof StowageError)) throw error;
    }
    await this.noteVariants();
  }

  private async act(action: Action, deps: World["deps"]): Promise<unknown> {
    switch (action.do) {
      case "upload":
        return this.upload(action.isPublic);
      case "move":
        return moveFiles(deps, { afterProject: 0 });
      case "make":
        return makeNextVariant({ ...deps, ...this.worker() }, { afterProject: 0 });
      case "work":
        while (await makeNextVariant({ ...deps, ...this.worker() }, { afterProject: 0 })) continue;
        while (await moveFiles(deps, { afterProject: 0 })) continue;
        return;
      case "remove variants":
        return removeVariants(deps);
      case "change preset":
        return this.changePreset(action.width, deps);
      case "wait":
        return this.world.advance(LEASE_MS);
      default:
        return this.actOn(action.do, this.files[action.file % Math.max(1, this.files.length)], deps);
    }
  }

  private worker() {
    const { decoder, world } = this.stage;
    const stopping = new AbortController().signal;
    return { decoder, stopping, signals: { mark: () => undefined }, onError: world.deps.onError };
  }

  private async upload(isPublic: boolean): Promise<void> {
    const picture = this.stage.pictures[0]!;
    const visibility = isPublic ? "public" : "private";
    const upload = await this.world.upload(this.project, { filename: "a.png", visibility });
    this.files.push({ ...upload, bytes: [picture], isGone: false, variants: new Set() });
    await replace(upload, picture);
    await settleUpload(this.world.deps, this.project.id, upload.filePath);
  }

  private async actOn(
    what: (typeof changes)[number],
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
        await deleteFiles(deps, this.project, parse(deleteRequest, { file_path: filePath }));
        file.isGone = this.trashDays === 0;
        return;
      case "restore":
        return restoreFiles(deps, this.project, one);
      case "replay": {
        const next = this.stage.pictures[file.bytes.length % this.stage.pictures.length]!;
        file.bytes.push(next);
        await replace(file, next);
        return settleUpload(deps, this.project.id, filePath);
      }
      case "demand":
        return createDownload({ ...deps, settling: deps }, this.project, { filePath, variant: PRESET });
      case "infect":
      case "clear":
        return this.report(file, what === "infect" ? "infected" : "clean", deps);
    }
  }

  private async report({ filePath }: Known, verdict: "infected" | "clean", deps: World["deps"]) {
    const [row] = await this.world.rows<{ id: number; etag: string | null }>(
      "select id, etag from files where path = $1",
      [filePath],
    );
    if (!row?.etag) return;
    await recordVerdict(
      deps,
      { projectId: this.project.id, id: row.id },
      { etag: row.etag, verdict, signature: null },
    );
  }

  private async noteVariants(): Promise<void> {
    const rows = await this.world.rows<{ path: string; file: string }>(
      `select v.path, f.path as file from file_variants v
       join files f on f.project_id = v.project_id and f.id = v.file_id where v.project_id = $1`,
      [this.project.id],
    );
    for (const { path, file } of rows)
      this.files.find(({ filePath }) => filePath === file)?.variants.add(path);
  }

  /** A test cannot advance storage's clock, so URLs are signed for the real time. */
  private reading() {
    const { store } = this.world.deps;
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
    return { ...this.world.deps, store: presigning, settling: this.world.deps };
  }

  private async download(filePath: string, variant?: string) {
    try {
      return await createDownload(this.reading(), this.project, { filePath, ...(variant && { variant }) });
    } catch (error) {
      if (error instanceof StowageError) return error.code;
      throw error;
    }
  }

  /** @param isAtRest whether everything that was begun has ended */
  async check({ isAtRest = false } = {}): Promise<void> {
    for (const file of this.files) await this.checkFile(file, isAtRest);
  }

  private async checkFile({ filePath, bytes, isGone, variants }: Known, isAtRest: boolean): Promise<void> {
    const { store } = this.world.deps;
    const urlOf = (path: string) => store.published!.urlOf(path);
    const record = await findFile(this.world.deps, this.project, { filePath }).catch(() => null);
    const mustBeHidden = record ? record.visibility === undefined : isGone || isAtRest;
    if (mustBeHidden)
      for (const path of [filePath, ...variants])
        expect([path, await statusOf(urlOf(path))]).not.toEqual([path, 200]);
    if (record?.publicUrl !== undefined) expect(bytes).toContainEqual(await read(record.publicUrl));
    if (record?.status === "stored" && record.scanStatus !== "infected") {
      const download = await this.download(filePath);
      if (typeof download === "string") throw new Error(download);
      expect(bytes).toContainEqual(await read(download.presignedUrl));
      const variant = await this.download(filePath, PRESET);
      if (typeof variant !== "string") {
        expect(await statusOf(variant.presignedUrl)).toBe(200);
        if (variant.publicUrl !== undefined) expect(await statusOf(variant.publicUrl)).toBe(200);
      }
      if (isAtRest) {
        expect(record.visibility === "public").toBe(record.publicUrl !== undefined);
        // Everything that was asked for is made and published.
        if (typeof variant !== "string")
          expect(variant.publicUrl !== undefined).toBe(record.visibility === "public");
      }
    }
    if (!isAtRest) return;
    expect((await statusOf(urlOf(filePath))) === 200).toBe(record?.publicUrl !== undefined);
    if (record) return;
    const [row] = await this.world.rows("select id from files where path = $1", [filePath]);
    // A file in the trash keeps its variants for its restore.
    if (row) return;
    for (const path of [filePath, ...variants]) expect(await store.head(path)).toBeNull();
  }

  /** Ends everything that was begun. */
  async rest(): Promise<void> {
    for (let round = 0; round < 4; round++) {
      this.world.advance(LEASE_MS + 60_000);
      while (await makeNextVariant({ ...this.world.deps, ...this.worker() }, { afterProject: 0 })) continue;
      while (await moveFiles(this.world.deps, { afterProject: 0 })) continue;
      await this.world.sweep();
      while (await removeVariants(this.world.deps)) continue;
    }
    await this.noteVariants();
  }
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

async function read(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}
