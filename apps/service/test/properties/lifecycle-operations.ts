import { createHash } from "node:crypto";
import type { ScanVerdict } from "@stowage/schemas";
import { expect } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#files/deliver/create-download.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { reportScan } from "#scans/report-scan.js";
import { addMs, DAY_MS, SECOND_MS } from "#lib/time.js";
import type { World } from "../fixtures/a-world.js";
import type { LifecycleOperation } from "./operations.js";
import { codeOf, type Requested } from "./requested.js";

type Deps = World["deps"];

/** A call of the current step. All calls of a step run at the same time, so they are judged when the step is over. */
interface Call {
  requested: Requested;
  do: LifecycleOperation["do"];
  /** An error's code, or `done`. Null while it runs, and if its process was killed. */
  outcome: string | null;
  /** Whether the file was certainly stored, or in the trash, before the step. */
  wasStored: boolean;
  wasCancelled: boolean;
  /** Of the reported bytes. */
  etag?: string;
  verdict?: ScanVerdict;
  /** What a download answers. */
  sizeBytes?: number;
}

interface Row {
  path: string;
  status: string;
  held: boolean;
}

/** Time that one step takes at most. */
const STEP_MS = 10 * SECOND_MS;
/** A file consists of one of these. */
export const PUT_BYTES = ["x", "y"];
const WRONG_ETAG = "0".repeat(32);

interface HistoryOfLifecycle {
  /** Whether a killed worker hid the answer. */
  isHidden(outcome: unknown): boolean;
}

/** Deletes, restores, holds and scans of files, and what each of them may answer. */
export class LifecycleOperations {
  readonly #world: World;
  readonly #calls: Call[] = [];
  readonly #touched = new Set<Requested>();

  readonly #history: HistoryOfLifecycle;

  constructor(world: World, history: HistoryOfLifecycle) {
    this.#world = world;
    this.#history = history;
  }

  /** Adds a file whose download is tried after the step. */
  touch(requested: Requested): void {
    this.#touched.add(requested);
    if (requested.endsAt && this.#now() >= addMs(requested.endsAt, -STEP_MS)) requested.mayBeGone = true;
  }

  async perform(deps: Deps, requested: Requested, operation: LifecycleOperation, wasStored: boolean) {
    const call: Call = {
      requested,
      do: operation.do,
      outcome: null,
      wasStored: wasStored && !requested.mayBeGone,
      wasCancelled: requested.isCancelled,
    };
    this.#calls.push(call);
    if (operation.do === "report scan") await this.#describeReport(call, operation);
    if (operation.do === "delete" || operation.do === "purge") requested.mayBeGone = true;
    call.outcome = await this.#run(deps, call, requested).then(() => "done", codeOf);
  }

  async #describeReport(call: Call, operation: LifecycleOperation & { do: "report scan" }): Promise<void> {
    call.verdict = operation.verdict;
    const object = await this.#world.deps.store.head(call.requested.filePath);
    call.etag = operation.etag === "right" && object ? object.etag : WRONG_ETAG;
  }

  #run(deps: Deps, call: Call, { project, filePath }: Requested): Promise<unknown> {
    const single = { paths: [filePath], mustExist: true, tenantId: undefined };
    const settling = { ...deps, settling: deps };
    switch (call.do) {
      case "delete":
        return deleteFiles(deps, project, single);
      case "purge":
        return deleteFiles(deps, project, { ...single, purge: true });
      case "restore":
        return restoreFiles(deps, project, single);
      case "hold":
      case "release":
        return holdFile(settling, project, { filePath, tenantId: undefined, hold: call.do === "hold" });
      case "report scan":
        return reportScan(settling, project, {
          filePath,
          verdict: call.verdict!,
          etag: call.etag,
        });
      case "download":
        return createDownload(settling, project, { filePath }).then(({ size }) => {
          call.sizeBytes = size;
        });
    }
  }

  /** Judges the calls of the step, and then tries to download the files that it touched. */
  async endStep(all: Requested[]): Promise<void> {
    const calls = this.#calls.splice(0);
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const requested of new Set(calls.map((call) => call.requested))) {
      const ofFile = calls.filter((call) => call.requested === requested);
      for (const call of ofFile) this.#expectPossible(call, ofFile);
      this.#learn(requested, ofFile);
    }
    await this.#expectHeldToStay(all);
    for (const requested of touched) await this.#expectNoForbiddenDownload(requested);
  }

  #expectPossible(call: Call, ofFile: Call[]): void {
    const { requested, outcome } = call;
    if (this.#isUnknown(call)) return;
    const { held, settings } = requested;
    const others = (...kinds: Call["do"][]) =>
      ofFile.some((other) => other !== call && kinds.includes(other.do));
    if (call.wasCancelled) expect([call.do, outcome]).toEqual([call.do, "file_not_found"]);
    const canDisappear = others("delete", "purge");
    switch (call.do) {
      case "delete":
      case "purge":
        return this.#expectHoldToRefuse(call, others("release"));
      case "restore":
        if (settings.trashDays === 0) expect(outcome).toBe("file_not_found");
        if (!others("restore", "purge") && this.#isInTrash(requested)) expect(outcome).toBe("done");
        return;
      case "hold":
        if (call.wasStored && !canDisappear) expect(outcome).toBe("done");
        return;
      case "release":
        if (held !== null && !others("release")) expect(outcome).toBe("done");
        return;
      case "report scan":
        return this.#expectReport(call, canDisappear);
      case "download":
        return this.#expectDownload(call, ofFile);
    }
  }

  #expectHoldToRefuse({ do: kind, outcome, requested: { held, deleted } }: Call, mayBeReleased: boolean) {
    if (held === null || mayBeReleased) return;
    const mayBeInTrash = held === "trashed" || deleted !== null;
    const answers = kind === "delete" && mayBeInTrash ? ["file_on_hold", "file_not_found"] : ["file_on_hold"];
    expect(answers).toContain(outcome);
  }

  #isInTrash({ deleted, held, settings }: Requested): boolean {
    if (!deleted?.isInTrash) return false;
    const purgeAt = addMs(deleted.at, settings.trashDays * DAY_MS);
    return held !== null || this.#now() < addMs(purgeAt, -STEP_MS);
  }

  #expectReport({ requested, outcome, etag, wasStored }: Call, canDisappear: boolean): void {
    const isScanning = requested.settings.scan === "external";
    if (outcome === "done") expect({ isScanning, etag }).not.toMatchObject({ etag: WRONG_ETAG });
    if (outcome === "done") expect({ isScanning }).toEqual({ isScanning: true });
    // After only one PUT there is no doubt which bytes the file has.
    else if (isScanning && wasStored && !canDisappear && requested.putSizes.length === 1)
      expect([etag, outcome]).toEqual([WRONG_ETAG, "scan_outdated"]);
  }

  /** A download succeeds from the moment at which storage has accepted the PUT, without any other call. */
  #expectDownload({ requested, outcome, sizeBytes, wasStored }: Call, ofFile: Call[]): void {
    const { deleted, settings, putSizes, mayBeGone } = requested;
    if (outcome !== "done") {
      const answers = [
        ...(wasStored && !mayBeGone ? [] : ["file_not_found"]),
        ...(settings.scan === "off" ? [] : ["file_not_scanned", "file_quarantined"]),
      ];
      return expect(answers).toContain(outcome);
    }
    expect(putSizes).toContain(sizeBytes);
    const mayBeRestored = ofFile.some((call) => call.do === "restore");
    expect({ isDeleted: deleted !== null && !mayBeRestored }).toEqual({ isDeleted: false });
    this.#expectClean(requested, etagsOf(sizeBytes!), ofFile);
  }

  /** Whether its process was killed, or a killed worker hid its answer. */
  #isUnknown({ outcome }: Call): boolean {
    return outcome === null || this.#history.isHidden(outcome);
  }

  /** @param ofFile calls that ran at the same time */
  #expectClean({ settings, verdicts }: Requested, etags: string[], ofFile: Call[]): void {
    if (settings.scan === "off") return;
    const possible = etags.flatMap((etag) => [
      ...(verdicts.get(etag) ?? []),
      ...reportsOf(ofFile, etag).map(({ verdict }) => verdict),
    ]);
    expect(possible).toContain("clean");
  }

  /** What is certain about the file after the step. */
  #learn(requested: Requested, ofFile: Call[]): void {
    const { deleted, verdicts, settings } = requested;
    const started = (...kinds: Call["do"][]) => ofFile.some((call) => kinds.includes(call.do));
    const done = (...kinds: Call["do"][]) =>
      ofFile.find((call) => kinds.includes(call.do) && call.outcome === "done");
    const isRestored = ofFile.some(
      ({ do: kind, outcome }) => kind === "restore" && outcome !== "file_not_found",
    );
    const ended = done("delete", "purge");
    if (isRestored) {
      requested.deleted = null;
      // The end of a restored file is dropped if it has passed.
      if (requested.endsAt && this.#now() >= addMs(requested.endsAt, -STEP_MS)) requested.endsAt = null;
    } else if (ended && !started("restore")) {
      const isInTrash = ended.wasStored && settings.trashDays > 0 && !started("purge");
      requested.deleted = { at: addMs(this.#now(), -STEP_MS), isInTrash };
    } else if (deleted && started("purge")) requested.deleted = { ...deleted, isInTrash: false };
    if (started("release")) requested.held = null;
    else if (done("hold")) requested.held ??= "unknown";
    for (const etag of new Set(ofFile.flatMap((call) => (call.verdict && call.etag ? [call.etag] : [])))) {
      const reports = reportsOf(ofFile, etag).filter(
        (call) => call.outcome === "done" || this.#isUnknown(call),
      );
      const isCertain = reports.length === 1 && reports[0]!.outcome === "done";
      const before = isCertain ? [] : [...(verdicts.get(etag) ?? [])];
      verdicts.set(etag, new Set([...before, ...reports.map(({ verdict }) => verdict!)]));
    }
  }

  /** A file on hold is stored or in the trash, and never goes from storage to the trash. */
  async #expectHeldToStay(all: Requested[]): Promise<void> {
    const held = all.filter((requested) => requested.held !== null);
    if (held.length === 0) return;
    const paths = `{${held.map(({ filePath }) => filePath).join(",")}}`;
    const rows = await this.#world.rows<Row>(
      `select path, status, held from files where path = any($1::text[])`,
      [paths],
    );
    const byPath = new Map(rows.map((row) => [row.path, row]));
    for (const requested of held) {
      const row = byPath.get(requested.filePath);
      const possible = requested.held === "stored" ? ["stored"] : ["stored", "trashed"];
      expect(possible).toContain(row?.status);
      expect(row!.held).toBe(true);
      requested.held = row!.status === "stored" ? "stored" : "trashed";
    }
  }

  /** While nothing else runs, storage tells exactly which bytes a download would hand out. */
  async #expectNoForbiddenDownload(requested: Requested): Promise<void> {
    const { project, filePath, endsAt, deleted } = requested;
    const { deps } = this.#world;
    const now = this.#now();
    const outcome = await createDownload({ ...deps, settling: deps }, project, { filePath }).then(
      () => "done",
      codeOf,
    );
    if (outcome !== "done") return;
    expect({ isDeleted: deleted !== null, isExpired: endsAt !== null && now >= endsAt }).toEqual({
      isDeleted: false,
      isExpired: false,
    });
    const object = await deps.store.head(filePath);
    this.#expectClean(requested, [object!.etag], []);
  }

  /** Releases all files, and expects that the service has ended each file whose time is over, and no file on hold. */
  async expectEnded(all: Requested[]): Promise<void> {
    await this.endStep(all);
    const { deps } = this.#world;
    const paths = `{${all.map(({ filePath }) => filePath).join(",")}}`;
    const held = await this.#world.rows<Row>(`select path from files where path = any($1::text[]) and held`, [
      paths,
    ]);
    for (const { path } of held) {
      const { project, filePath } = all.find((requested) => requested.filePath === path)!;
      await holdFile({ ...deps, settling: deps }, project, { filePath, tenantId: undefined, hold: false });
    }
    await this.endAll();
    await this.#world.sweep();
    const late = `select path, status from files
      where path = any($1::text[]) and coalesce(purge_at, expires_at) <= $2 and status in ('stored', 'trashed')`;
    expect(await this.#world.rows(late, [paths, this.#now().toISOString()])).toEqual([]);
  }

  async endAll(): Promise<void> {
    while (await endFiles(this.#world.deps)) continue;
  }

  #now(): Date {
    return this.#world.deps.clock();
  }
}

function reportsOf(calls: Call[], etag: string): Call[] {
  return calls.filter((call) => call.verdict !== undefined && call.etag === etag);
}

/** Storage's ETags of the files of a single PUT with this size. */
function etagsOf(sizeBytes: number): string[] {
  return PUT_BYTES.map((byte) => createHash("md5").update(byte.repeat(sizeBytes)).digest("hex"));
}
