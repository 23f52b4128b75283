import { connect } from "node:net";
import { StowageError } from "@stowage/schemas";
import { expect } from "vitest";
import { completeUpload } from "#files/settle/complete-upload.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#files/deliver/create-download.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { lastCheckAt } from "#files/settle/check-schedule.js";
import { findArrivedFile } from "#files/settle/find-arrived-file.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { requestUpload, type RequestedUpload } from "#files/upload/request-upload.js";
import { signParts } from "#files/parts/sign-parts.js";
import { sweepParts, sweepUploads } from "#files/settle/sweep-uploads.js";
import { hashApiKey } from "#projects/api-key.js";
import { regenerateKey } from "#projects/regenerate-key.js";
import { updateProject } from "#projects/update-project.js";
import { reportScan } from "#scans/report-scan.js";
import { setQuota } from "#tenants/set-quota.js";
import { handleStorageEvents } from "#storage-events/handle-notification.js";
import type { WorkerOutage } from "../fixtures/a-worker-outage.js";
import { put, type World } from "../fixtures/a-world.js";
import { Crash, crashingDeps } from "./crash.js";
import {
  expectExactCounters,
  expectProjectDaysToAddUp,
  expectSeparateProjects,
  expectStorageToAgree,
  type HistoryProject,
  LARGE_QUOTA,
  QUOTA,
} from "./invariants.js";
import { LifecycleOperations, PUT_BYTES } from "./lifecycle-operations.js";
import { LARGE_TENANT, type LifecycleSettings, type Operation, type Step } from "./operations.js";
import { PartOperations } from "./part-operations.js";
import { RequestOperations } from "./request-operations.js";
import { codeOf, type Requested } from "./requested.js";

type Deps = World["deps"];

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** Of a file whose size was not declared. */
const SENT_BYTES = 30;

/** Executes random steps on the real verbs, PostgreSQL and storage, and checks the invariants between them. */
export class History {
  readonly #world: World;
  readonly #replicas: Deps[];
  readonly #bucket: string;
  readonly #outage: WorkerOutage | null;
  #projects: HistoryProject[] = [];
  /** Expectations that need to know what all operations of a step did. */
  #afterStep: (() => void)[] = [];
  readonly #requests: RequestOperations;
  readonly #parts: PartOperations;
  readonly #lifecycle: LifecycleOperations;

  /** @param outage happens once in the sequence, while a step runs. @default null */
  constructor(world: World, replicas: Deps[], bucket: string, outage: WorkerOutage | null = null) {
    this.#world = world;
    this.#replicas = replicas;
    this.#bucket = bucket;
    this.#outage = outage;
    const afterStep = (check: () => void) => this.#afterStep.push(check);
    this.#requests = new RequestOperations(world, { afterStep });
    this.#lifecycle = new LifecycleOperations(world, { isHidden: (outcome) => this.#isHidden(outcome) });
    this.#parts = new PartOperations(world, {
      afterStep,
      isHidden: (outcome) => this.#isHidden(outcome),
    });
  }

  /** @param settings of the two projects */
  async run(steps: Step[], settings: [LifecycleSettings, LifecycleSettings]): Promise<void> {
    // In the first project every upload declares its size, so its quota must hold after each step.
    this.#projects = [
      await this.#project({ defaultQuotaBytes: QUOTA, requireSize: true }, settings[0]),
      await this.#project({ defaultQuotaBytes: QUOTA }, settings[1]),
    ];
    for (const project of this.#projects) {
      await setQuota(this.#world.deps, project, {
        tenantId: `tenant ${LARGE_TENANT}`,
        quotaBytes: LARGE_QUOTA,
      });
    }
    this.#world.failures.length = 0;
    const outageStep = Math.floor(steps.length / 2);
    for (const [index, { operations, crash, advanceMs }] of steps.entries()) {
      const outage = index === outageStep ? this.#outage : null;
      await this.#during(outage, () =>
        Promise.all(
          operations.map(({ operation, replica }, i) => {
            const deps = this.#replicas[replica]!;
            return this.#perform(crash && i === 0 ? crashingDeps(deps, crash) : deps, operation);
          }),
        ),
      );
      for (const check of this.#afterStep.splice(0)) check();
      await this.#lifecycle.endStep(this.#requests.requested);
      await expectExactCounters(this.#world, this.#projects);
      await this.#expectCancelledToStayGone();
      this.#world.advance(advanceMs);
    }
    await this.#settleEverything();
    await this.#lifecycle.expectEnded(this.#requests.requested);
    await expectExactCounters(this.#world, this.#projects);
    await this.#expectCancelledToStayGone();
    await expectProjectDaysToAddUp(this.#world, this.#projects);
    await expectStorageToAgree(this.#world, this.#projects);
    await this.#parts.expectSentUploadsToBeStored(this.#requests.requested);
    await expectSeparateProjects(this.#world, this.#projects);
    expect(this.#world.failures.filter((failure) => !(failure instanceof Crash))).toEqual([]);
  }

  /** After an outage each connection of the pool fails once, so this tries again. */
  async #project(
    input: Parameters<World["project"]>[0],
    settings: LifecycleSettings,
    attempts = 10,
  ): Promise<HistoryProject> {
    try {
      const project = await this.#world.project({ ...input, trashDays: settings.trashDays });
      if (settings.scan !== "off")
        await updateProject(this.#world.deps, project.ref, { scan: settings.scan });
      return { ...project, settings };
    } catch (error) {
      const isOutage = error instanceof StowageError && error.code === "unavailable";
      if (!this.#outage || !isOutage || attempts === 1) throw error;
      return this.#project(input, settings, attempts - 1);
    }
  }

  /** Runs `work` while an outage begins, and ends the outage in any case. */
  async #during(outage: WorkerOutage | null, work: () => Promise<unknown>): Promise<void> {
    const beginning = outage?.begin();
    try {
      await work();
    } finally {
      await beginning;
      await outage?.end();
    }
  }

  /** Whether a killed worker hid the answer. */
  #isHidden(outcome: unknown): boolean {
    return this.#outage !== null && outcome === "unavailable";
  }

  /** Expects that there is no file for the caller. A killed process answers nothing, and a killed worker may hide the answer. */
  async #expectMissing(call: Promise<unknown>): Promise<void> {
    const answers = this.#outage
      ? /^(File not found|Service temporarily unavailable|)$/
      : /^(File not found|)$/;
    await expect(call).rejects.toThrow(answers);
  }

  async #perform(deps: Deps, operation: Operation): Promise<void> {
    try {
      await this.#do(deps, operation);
    } catch (error) {
      // Refusals and crashes are expected. The checks look at the state that they leave.
      if (!(error instanceof StowageError || error instanceof Crash)) throw error;
    }
  }

  async #do(deps: Deps, operation: Operation): Promise<void> {
    if (operation.do === "sweep") return this.#sweep(deps);
    if (operation.do === "upload") return this.#upload(deps, operation);
    if (operation.do === "open parts") {
      return this.#requests.openParts(deps, operation, this.#projects[operation.project]!);
    }
    if (operation.do === "regenerate key") return this.#regenerateKey(deps, operation.project);
    const all = this.#requests.requested;
    const requested = all[operation.file % Math.max(1, all.length)];
    if (!requested) return;
    const { filePath, single, project, declaredSize, isCancelled } = requested;
    this.#lifecycle.touch(requested);
    switch (operation.do) {
      case "put":
        return this.#put(requested, operation.size);
      case "put of another length":
        if (single && declaredSize !== null && declaredSize !== operation.size) {
          expect(await put(single, "x".repeat(operation.size))).toBe(403);
        }
        return;
      case "cut put":
        return void (single && (await cutPut(single, declaredSize ?? 1000)));
      case "complete": {
        if (requested.parts && !isCancelled) return this.#parts.complete(deps, requested);
        const completed = completeUpload(deps, project, { filePath });
        if (isCancelled) return this.#expectMissing(completed);
        return void (await completed);
      }
      case "sign parts":
      case "send parts":
      case "put part":
      case "put part of another length":
        return this.#parts.perform(deps, requested, operation);
      case "read":
        return this.#read(deps, requested);
      case "event": {
        const event = { bucket: this.#bucket, keys: [filePath] };
        return void (await handleStorageEvents(
          { ...deps, bucket: this.#bucket, signals: { mark: () => undefined } },
          Array.from({ length: operation.times }, () => event),
        ));
      }
      case "download":
      case "delete":
      case "purge":
      case "restore":
      case "hold":
      case "release":
      case "report scan":
        return this.#lifecycle.perform(deps, requested, operation, this.#hasArrivedInTime(requested));
      case "cancel":
        return this.#cancel(deps, requested);
      case "call from another project":
        return this.#callFromAnotherProject(deps, requested);
    }
  }

  async #upload(deps: Deps, operation: Operation & { do: "upload" }): Promise<void> {
    const requested = await this.#requests.upload(deps, operation, this.#projects[operation.project]!);
    if (!operation.isSent) return;
    this.#lifecycle.touch(requested);
    await this.#put(requested, SENT_BYTES);
    await completeUpload(deps, requested.project, { filePath: requested.filePath });
  }

  async #put(requested: Requested, size: number): Promise<void> {
    const { single, declaredSize } = requested;
    if (!single || !this.#canStillPut(single)) return;
    if (requested.put === "none") requested.put = "started";
    // The bytes of a replayed URL differ, also if their number is signed.
    const byte = PUT_BYTES[requested.putSizes.length % PUT_BYTES.length]!;
    requested.putSizes.push(declaredSize ?? size);
    expect(await put(single, byte.repeat(declaredSize ?? size))).toBe(200);
    requested.put = "accepted";
  }

  /** Other operations may run at the same time. So it reads before the call what must be true, and after it what may be. */
  async #cancel(deps: Deps, requested: Requested): Promise<void> {
    const { filePath, project, isCancelled } = requested;
    const hasArrived = this.#hasArrivedInTime(requested);
    const outcome = await cancelUpload(deps, project, { filePath }).then(
      () => "cancelled",
      (error: unknown) => (error instanceof StowageError ? error.code : "crashed"),
    );
    const possible = new Set(["cancelled", "upload_already_stored", "file_not_found"]);
    if (requested.put === "none") possible.delete("upload_already_stored");
    // A call that completes an upload by parts keeps others from ending it, for some time also if its process is killed.
    else if (requested.parts) possible.add("unavailable");
    if (!requested.mayBeGone) possible.delete("file_not_found");
    if (hasArrived && !requested.mayBeGone) possible.delete("cancelled");
    const isUnknown = outcome === "crashed" || this.#isHidden(outcome);
    // The parts may be gone after `unavailable` too.
    if (isUnknown || outcome === "cancelled" || outcome === "unavailable") requested.mayBeGone = true;
    if (isUnknown) return;
    expect(isCancelled ? ["cancelled"] : [...possible]).toContain(outcome);
    // The row of an upload that expired long ago stays in the lists.
    if (outcome !== "cancelled" || !this.#canStillPut(requested)) return;
    requested.isCancelled = true;
    if (requested.parts) await this.#parts.expectNoParts(filePath);
  }

  /**
   * Storage accepted the bytes before the upload could expire. After that, late bytes need not fit the quota. The object of an upload
   * by parts is stored by the service, so it is never late.
   */
  #hasArrivedInTime({ put, parts, expiresAt }: Requested): boolean {
    return put === "accepted" && (parts !== null || this.#world.deps.clock() < new Date(expiresAt));
  }

  async #sweep(deps: Deps): Promise<void> {
    await sweepUploads(deps);
    await sweepParts(deps);
    await endFiles(deps);
  }

  /** A read shows a file as stored from the moment at which storage has accepted the PUT, without any other call. */
  async #read(deps: Deps, requested: Requested): Promise<void> {
    const { filePath, project, isCancelled } = requested;
    const hasArrived = this.#hasArrivedInTime(requested);
    const reference = { filePath };
    const ifStorageIsDown = "return recorded";
    const outcome = await findArrivedFile({ ...deps, settling: deps }, project, reference, {
      ifStorageIsDown,
    }).then(({ file: { status, size } }) => (status === "stored" ? size : status), codeOf);
    if (this.#isHidden(outcome)) return;
    const { putSizes, mayBeGone } = requested;
    const unstored = ["pending", "expired", ...(mayBeGone ? ["file_not_found"] : [])];
    // An upload whose bytes arrived after it had expired is removed if it does not fit the quota.
    if (putSizes.length > 0 && !hasArrived) unstored.push("file_not_found");
    if (isCancelled) expect(outcome).toBe("file_not_found");
    else expect(hasArrived && !mayBeGone ? putSizes : [...putSizes, ...unstored]).toContain(outcome);
  }

  async #regenerateKey(deps: Deps, index: number): Promise<void> {
    const project = this.#projects[index]!;
    const old = project.apiKeyHash;
    const { apiKey } = await regenerateKey(this.#world.deps, project.ref);
    project.apiKeyHash = hashApiKey(apiKey);
    await expect(
      requestUpload(
        deps,
        { projectId: project.id, apiKeyHash: old },
        { tenantId: "tenant 0", filename: "a.txt" },
      ),
    ).rejects.toThrow(/Unauthorized|^$/);
  }

  async #callFromAnotherProject(deps: Deps, { filePath, project }: Requested): Promise<void> {
    const other = this.#projects.find((candidate) => candidate !== project)!;
    await this.#expectMissing(signParts(deps, other, { filePath, parts: [{ number: 1 }] }));
    await this.#expectMissing(completeUpload(deps, other, { filePath }));
    await this.#expectMissing(cancelUpload(deps, other, { filePath }));
    const settling = { ...deps, settling: deps };
    const single = { paths: [filePath], mustExist: true, tenantId: undefined };
    await this.#expectMissing(createDownload(settling, other, { filePath }));
    await this.#expectMissing(deleteFiles(deps, other, { ...single, purge: true }));
    await this.#expectMissing(restoreFiles(deps, other, single));
    await this.#expectMissing(holdFile(settling, other, { filePath, hold: true }));
    await this.#expectMissing(reportScan(settling, other, { filePath, verdict: "clean" }));
  }

  /** Storage's clock does not advance with the test's, so storage also accepts a PUT later than a real one can run. */
  #canStillPut({ expiresAt }: { expiresAt: string }): boolean {
    return this.#world.deps.clock() < lastCheckAt(new Date(expiresAt));
  }

  async #expectCancelledToStayGone(): Promise<void> {
    const cancelled = this.#requests.requested.filter(({ isCancelled }) => isCancelled);
    const paths = `{${cancelled.map(({ filePath }) => filePath).join(",")}}`;
    const kept = `select path from files where path = any($1::text[]) and status <> 'deleting'`;
    expect(await this.#world.rows(kept, [paths])).toEqual([]);
  }

  /** Advances the clock past every URL and lease, and sweeps at each time when a file or tombstone is due. */
  async #settleEverything(): Promise<void> {
    for (const ms of [
      61 * SECOND,
      HOUR,
      DAY,
      10 * SECOND,
      11 * 60 * SECOND,
      HOUR,
      6 * HOUR,
      24 * HOUR,
      HOUR,
    ]) {
      this.#world.advance(ms);
      await this.#lifecycle.endAll();
      await this.#world.sweep();
    }
  }
}

/** Declares a size, sends fewer bytes and disconnects. */
function cutPut(upload: RequestedUpload, sizeBytes: number): Promise<void> {
  const url = new URL(upload.presignedUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      const headers = Object.entries(upload.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${headers.join("")}` +
          `Content-Length: ${sizeBytes + 1}\r\n\r\n${"x".repeat(Math.floor(sizeBytes / 2))}`,
        () => socket.destroy(),
      );
    });
    socket.on("error", () => undefined).on("close", () => resolve());
  });
}
