import { deleteRequest, limits, parse, StowageError } from "@stowage/schemas";
import { commandLineActor } from "#audit/caller.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#deliver/create-download.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { sweepUploads } from "#files/sweep/sweep-uploads.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { moveFiles } from "#visibility/move-file.js";
import { setVisibility } from "#visibility/set-visibility.js";
import type { Decoder } from "#images/decode/decoder.js";
import { makeNextVariant } from "#images/make-variant.js";
import { savePreset } from "#images/manage-presets.js";
import { removeVariants } from "#variants/remove-variants.js";
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { replace } from "../fixtures/an-image-project.js";
import type { World } from "../fixtures/a-world.js";
import { Crash } from "./crash.js";
import { type Known, PRESET, VisibilityChecks } from "./visibility-checks.js";
import {
  type Action,
  type Change,
  type HistoryInput,
  LEASE_MS,
  OLD_MS,
  type Step,
} from "./visibility-steps.js";
import { type KeepingCdn, LateCopies, withTrouble } from "./visibility-troubles.js";

/*
 * One history of the files of a project: they become public and private, are deleted, restored, infected and replaced by replays, their
 * variants are asked for, made and removed. Meanwhile processes die, storage, database and CDN do not answer, copies land late, and other
 * processes overtake. visibility-checks.ts has what must be true after each step and at the end.
 */

/** All leases end, and then every check of a path whose URL has expired was due. */
const REST_MS = [LEASE_MS + MINUTE_MS, LEASE_MS + MINUTE_MS, 2 * HOUR_MS, 7 * HOUR_MS, 2 * DAY_MS, LEASE_MS];

type Project = Awaited<ReturnType<World["project"]>>;
type Deps = World["deps"];

export interface Stage {
  world: World;
  cdn: KeepingCdn;
  decoder: Decoder;
  /** Different images. */
  pictures: Buffer[];
}

/** Runs one history and checks it after each step. */
export async function expectTrueHistory(
  stage: Stage,
  { first, isOld, trashDays, steps }: HistoryInput,
): Promise<void> {
  const project = await stage.world.project();
  await stage.world.rows("update projects set trash_days = $1 where id = $2", [trashDays, project.id]);
  const history = new History(stage, project, trashDays);
  await history.begin(first, isOld);
  for (const step of steps) await history.run(step);
  await history.end();
}

class History {
  private readonly files: Known[] = [];
  private readonly stage: Stage;
  private readonly world: World;
  private readonly project: Project;
  private readonly trashDays: number;
  private readonly late: LateCopies;
  private readonly checks: VisibilityChecks;

  constructor(stage: Stage, project: Project, trashDays: number) {
    this.stage = stage;
    this.world = stage.world;
    this.project = project;
    this.trashDays = trashDays;
    this.late = new LateCopies(stage.world);
    this.checks = new VisibilityChecks(stage, project, this.files);
  }

  async begin(first: HistoryInput["first"], isOld: boolean): Promise<void> {
    const { deps } = this.world;
    await this.changePreset(4, deps);
    const isPublic = first === "public";
    await this.act({ do: "upload", isPublic, isSettled: true }, deps);
    await this.act({ do: "work" }, deps);
    await this.act({ do: "demand", file: 0 }, deps).catch(ignoreRefusal);
    await this.act({ do: "work" }, deps);
    if (isOld) {
      await this.wait(OLD_MS);
      await this.world.sweep();
    }
    if (first === "publishing") {
      const rows = await this.world.rows<{ id: number }>(
        "update files set visibility = 'public' where project_id = $1 returning id",
        [this.project.id],
      );
      const ids = rows.map(({ id }) => id);
      await queueMoves(this.world.deps.db, this.project.id, ids, this.world.deps.clock());
    }
    await this.checks.afterStep();
  }

  async run([action, trouble]: Step): Promise<void> {
    const { deps } = this.world;
    const wereGone = new Set(this.files.filter(({ isGone }) => isGone));
    let isUncertain = this.late.some;
    if (!trouble) await this.act(action, deps).catch(ignoreRefusal);
    else {
      const meanwhile = () => this.act(trouble.by, deps).catch(ignoreRefusal);
      const { stage, late } = this;
      const step = (troubled: Deps) => this.act(action, troubled).catch(ignoreRefusal);
      const happened = await withTrouble(deps, trouble, { cdn: stage.cdn, late, meanwhile }, step);
      // A delete answers also if storage does not. Then the file is gone as soon as storage is asked again.
      isUncertain ||= happened && !trouble.what.startsWith("is overtaken");
    }
    for (const file of this.files)
      if (isUncertain && file.isGone && !wereGone.has(file)) file.mayBeReadUntilTheEnd = true;
    await this.checks.afterStep();
  }

  /** Ends everything that was begun, and checks what is left. */
  async end(): Promise<void> {
    const { deps } = this.world;
    for (const ms of REST_MS) {
      await this.wait(ms);
      await this.act({ do: "work" }, deps);
      await this.world.sweep();
      while (await removeVariants(deps)) continue;
    }
    await this.checks.atRest();
  }

  private async act(action: Action, deps: Deps): Promise<void> {
    const turn = { afterProject: 0 };
    const worker = { ...deps, ...this.worker() };
    switch (action.do) {
      case "upload":
        return this.upload(action);
      case "move":
        await moveFiles(deps, turn);
        return;
      case "make":
        await makeNextVariant(worker, turn);
        return;
      case "work":
        while (await makeNextVariant(worker, turn)) continue;
        while (await moveFiles(deps, turn)) continue;
        return;
      case "remove variants":
        await removeVariants(deps);
        return;
      case "sweep":
        await sweepUploads(deps);
        return;
      case "land":
        return this.late.land();
      case "change preset":
        return this.changePreset(action.width, deps);
      case "wait":
        return this.wait(action.ms);
      default: {
        const file = this.files[action.file % Math.max(1, this.files.length)];
        if (file) await this.change(action.do, file, deps);
      }
    }
  }

  private worker() {
    const { decoder, world } = this.stage;
    const stopping = new AbortController().signal;
    return {
      decoder,
      formatsOff: [],
      posters: null,
      stopping,
      signals: { mark: () => undefined },
      onError: world.deps.onError,
    };
  }

  private async wait(ms: number): Promise<void> {
    await this.late.land(this.world.deps.clock().getTime() + ms);
    this.world.advance(ms);
  }

  private async changePreset(width: number, deps: Deps): Promise<void> {
    const preset = { name: PRESET, width, height: null, fit: "inside", format: "webp", quality: 80 } as const;
    const actor = { ...commandLineActor, project: this.project };
    await savePreset(deps, actor, { ...preset, eager: width === 5, animated: false });
  }

  private async upload({ isPublic, isSettled }: Action & { do: "upload" }): Promise<void> {
    const picture = this.stage.pictures[0]!;
    const visibility = isPublic ? "public" : "private";
    const upload = await this.world.upload(this.project, { filename: "a.png", visibility });
    this.files.push({
      ...upload,
      urlExpiresAt: addMs(this.world.deps.clock(), limits.uploadUrlSeconds * SECOND_MS),
      bytes: [picture],
      isGone: false,
      mayBeReadUntilTheEnd: false,
      variants: new Set(),
    });
    await replace(upload, picture);
    if (isSettled) await settleUpload(this.world.deps, this.project.id, upload.filePath);
  }

  private async change(what: Change, file: Known, deps: Deps): Promise<void> {
    const { filePath } = file;
    // A call that waits for another process pauses by the world's clock.
    const sleep = async (ms: number) => this.world.advance(ms);
    const settling = { ...deps, sleep };
    switch (what) {
      case "public":
      case "private": {
        const input = { filePath, tenantId: undefined, visibility: what };
        await setVisibility({ ...deps, settling }, this.project, input);
        return;
      }
      case "delete":
      case "purge": {
        const purge = what === "purge";
        await deleteFiles(deps, this.project, parse(deleteRequest, { file_path: filePath, purge }));
        // A file whose bytes have not arrived does not go to the trash.
        file.isGone = purge || this.trashDays === 0;
        return;
      }
      case "cancel":
        await cancelUpload(deps, this.project, { filePath, tenantId: undefined });
        file.isGone = true;
        return;
      case "restore":
        await restoreFiles(deps, this.project, { paths: [filePath], mustExist: true, tenantId: undefined });
        return;
      case "replay": {
        if (this.world.deps.clock() >= file.urlExpiresAt) return;
        const next = this.stage.pictures[file.bytes.length % this.stage.pictures.length]!;
        file.bytes.push(next);
        await replace(file, next);
        await settleUpload(deps, this.project.id, filePath);
        return;
      }
      case "demand":
        await createDownload({ ...deps, settling: deps }, this.project, { filePath, variant: PRESET });
        return;
      case "infect":
      case "clear":
        return this.report(file, what === "infect" ? "infected" : "clean", deps);
    }
  }

  private async report({ filePath }: Known, verdict: "infected" | "clean", deps: Deps): Promise<void> {
    const [row] = await this.world.rows<{ id: number; etag: string | null }>(
      "select id, etag from files where path = $1",
      [filePath],
    );
    if (!row?.etag) return;
    const file = { projectId: this.project.id, id: row.id };
    await recordVerdict(deps, file, { etag: row.etag, verdict, signature: null });
  }
}

/** A call may be refused, and a process may die. The checks look at what that leaves. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Crash) && !(error instanceof StowageError)) throw error;
}
