import { serviceActor } from "#audit/caller.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#deliver/create-download.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { addMs } from "#lib/time.js";
import { reportScan } from "#scans/report-scan.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import type { World } from "../fixtures/a-world.js";
import { type Call, expectPossible, reportsOf, STEP_MS, WRONG_ETAG } from "./lifecycle-answers.js";
import { expectHeldToStay, expectNoForbiddenDownload } from "./lifecycle-invariants.js";
import { codeOf, hasArrivedInTime, mayBeRefused, type HistoryProject, type Requested } from "./model.js";
import type { LifecycleOperation } from "./operations.js";

type Deps = World["deps"];

interface HistoryOfLifecycle {
  /** The files that were requested. */
  requested: Requested[];
  /** Whether a killed worker hid the answer. */
  isHidden(outcome: unknown): boolean;
}

/** Deletes, restores, holds and scans of files, and what the test learns from their answers. */
export class LifecycleOperations {
  readonly #world: World;
  readonly #history: HistoryOfLifecycle;
  readonly #calls: Call[] = [];
  readonly #touched = new Set<Requested>();

  constructor(world: World, history: HistoryOfLifecycle) {
    this.#world = world;
    this.#history = history;
  }

  /** Adds a file whose download is tried after the step. */
  touch(requested: Requested): void {
    this.#touched.add(requested);
    if (requested.endsAt && this.#now() >= addMs(requested.endsAt, -STEP_MS)) requested.mayBeGone = true;
  }

  async perform(deps: Deps, requested: Requested, operation: LifecycleOperation): Promise<void> {
    const call = this.#start(operation.do, requested);
    if (operation.do === "report scan") await this.#describeReport(call, operation);
    if (operation.do === "delete" || operation.do === "purge") requested.mayBeGone = true;
    if (operation.do === "hold") {
      requested.mayBeHeld = true;
      if (mayBeRefused(requested) || !hasArrivedInTime(requested, this.#now()))
        requested.project.mayExceedQuota = true;
    }
    this.#end(call, await this.#run(deps, call, requested).then(() => "done", codeOf));
  }

  async deleteTenant(deps: Deps, project: HistoryProject, tenantId: string): Promise<void> {
    project.deletingTenants.add(tenantId);
    project.mayMissDays = true;
    const ofTenant = this.#history.requested.filter(
      (requested) => requested.project === project && requested.tenantId === tenantId,
    );
    const calls = ofTenant.map((requested) => {
      this.touch(requested);
      const call = this.#start("delete tenant", requested);
      requested.mayBeGone = true;
      requested.mayBeForgotten = true;
      requested.keyExpiresAt = this.#now();
      return call;
    });
    const outcome = await deleteTenant(deps, project, tenantId, serviceActor).then(() => "done", codeOf);
    for (const call of calls) this.#end(call, outcome);
  }

  #start(kind: Call["do"], requested: Requested): Call {
    const wasStored = hasArrivedInTime(requested, this.#now()) && !requested.mayBeGone;
    const { isCancelled: wasCancelled } = requested;
    const call: Call = { requested, do: kind, outcome: null, wasStored, wasCancelled };
    this.#calls.push(call);
    return call;
  }

  #end(call: Call, outcome: string): void {
    call.outcome = this.#history.isHidden(outcome) ? null : outcome;
  }

  async #describeReport(call: Call, operation: LifecycleOperation & { do: "report scan" }): Promise<void> {
    call.verdict = operation.verdict;
    const object = await this.#world.deps.store.head(call.requested.filePath);
    call.etag = operation.etag === "right" && object ? object.etag : WRONG_ETAG;
  }

  #run(deps: Deps, call: Call, { project, filePath }: Requested): Promise<unknown> {
    const single = { paths: [filePath], mustExist: true, tenantId: undefined };
    const settling = { ...deps, settling: deps };
    const { verdict, etag } = call;
    switch (call.do as LifecycleOperation["do"]) {
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
        return reportScan(settling, project, { filePath, verdict: verdict!, etag });
      case "download":
        return createDownload(settling, project, { filePath }).then(({ size }) => {
          call.sizeBytes = size;
        });
    }
  }

  /** Judges the calls of the step, and then tries to download the files that it touched. */
  async endStep(): Promise<void> {
    const calls = this.#calls.splice(0);
    const touched = [...this.#touched];
    this.#touched.clear();
    for (const requested of new Set(calls.map((call) => call.requested))) {
      const ofFile = calls.filter((call) => call.requested === requested);
      for (const call of ofFile) expectPossible(call, ofFile, this.#now());
      this.#learn(requested, ofFile);
    }
    await expectHeldToStay(this.#world, this.#history.requested);
    for (const requested of touched) await expectNoForbiddenDownload(this.#world, requested);
  }

  /** What is certain about the file after the step. */
  #learn(requested: Requested, ofFile: Call[]): void {
    const { deleted, project } = requested;
    const started = (...kinds: Call["do"][]) => ofFile.some((call) => kinds.includes(call.do));
    const done = (...kinds: Call["do"][]) =>
      ofFile.find((call) => kinds.includes(call.do) && call.outcome === "done");
    const isRestored = ofFile.some(
      ({ do: kind, outcome }) => kind === "restore" && outcome !== "file_not_found",
    );
    const ended = done("delete", "purge", "delete tenant");
    if (isRestored) {
      requested.deleted = null;
      // The end of a restored file is dropped if it has passed.
      if (requested.endsAt && this.#now() >= addMs(requested.endsAt, -STEP_MS)) requested.endsAt = null;
    } else if (ended && !started("restore")) {
      const isInTrash =
        ended.wasStored && project.settings.trashDays > 0 && !started("purge", "delete tenant");
      requested.deleted = { at: addMs(this.#now(), -STEP_MS), isInTrash };
    } else if (deleted && started("purge", "delete tenant"))
      requested.deleted = { ...deleted, isInTrash: false };
    // A delete before it may have left its history.
    if (done("delete tenant")?.wasStored && !started("delete", "purge")) requested.isForgotten = true;
    if (started("release")) requested.held = null;
    else if (done("hold")) requested.held ??= "unknown";
    this.#learnVerdicts(requested, ofFile);
  }

  #learnVerdicts({ verdicts }: Requested, ofFile: Call[]): void {
    for (const etag of new Set(ofFile.flatMap((call) => (call.verdict && call.etag ? [call.etag] : [])))) {
      const reports = reportsOf(ofFile, etag).filter(({ outcome }) => outcome === "done" || outcome === null);
      const isCertain = reports.length === 1 && reports[0]!.outcome === "done";
      const before = isCertain ? [] : [...(verdicts.get(etag) ?? [])];
      verdicts.set(etag, new Set([...before, ...reports.map(({ verdict }) => verdict!)]));
    }
  }

  /** Releases the files on hold. */
  async releaseAll(): Promise<void> {
    const { deps } = this.#world;
    const byPath = new Map(this.#history.requested.map((requested) => [requested.filePath, requested]));
    const held = `select path from files where path = any($1::text[]) and held`;
    const paths = `{${[...byPath.keys()].join(",")}}`;
    for (const { path: filePath } of await this.#world.rows<{ path: string }>(held, [paths])) {
      const { project } = byPath.get(filePath)!;
      await holdFile({ ...deps, settling: deps }, project, { filePath, tenantId: undefined, hold: false });
      byPath.get(filePath)!.held = null;
    }
  }

  #now(): Date {
    return this.#world.deps.clock();
  }
}
