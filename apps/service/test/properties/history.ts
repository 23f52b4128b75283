import { StowageError } from "@stowage/schemas";
import { expect } from "vitest";
import type { WorkerOutage } from "../fixtures/a-worker-outage.js";
import type { World } from "../fixtures/a-world.js";
import { findMissingTasks } from "../fixtures/missing-tasks.js";
import { AccessOperations } from "./access-operations.js";
import { Crash, crashingDeps } from "./crash.js";
import { createProjects } from "./history-projects.js";
import {
  expectCancelledToStayGone,
  expectExactCounters,
  expectProjectDaysToAddUp,
  expectSeparateProjects,
  expectStorageToAgree,
  unsettledPaths,
} from "./invariants.js";
import { expectForgotten, expectNothingLate } from "./lifecycle-invariants.js";
import { LifecycleOperations } from "./lifecycle-operations.js";
import type { HistoryProject } from "./model.js";
import type { LifecycleSettings, Operation, Step } from "./operations.js";
import { PartOperations } from "./part-operations.js";
import { RequestOperations } from "./request-operations.js";
import { ScanOperations } from "./scan-operations.js";
import { MAX_ROUNDS, ROUND_MS, sweepAll, sweepOnce } from "./service-jobs.js";
import { UploadOperations } from "./upload-operations.js";
import type { aScanner } from "./verdicts.js";

type Deps = World["deps"];

interface HistoryOptions {
  world: World;
  replicas: Deps[];
  bucket: string;
  scanner: Awaited<ReturnType<typeof aScanner>>;
  /** Happens once in the sequence, while a step runs. Null for none. */
  outage: WorkerOutage | null;
}

/**
 * Executes random steps on the real verbs, PostgreSQL and storage, and checks the invariants between them.
 *
 * - arbitraries.ts and lifecycle-arbitraries.ts choose the steps; operations.ts has their types
 * - model.ts is what the test knows about projects and files
 * - the files named operations execute a step, expect that its answers are possible, and write what they learned to the model
 * - the files named invariants have what must be true between the steps and at the end
 */
export class History {
  readonly #world: World;
  readonly #replicas: Deps[];
  readonly #outage: WorkerOutage | null;
  readonly #projects: HistoryProject[] = [];
  /** Expectations that need to know what all operations of a step did. */
  readonly #afterStep: (() => void)[] = [];
  readonly #access: AccessOperations;
  readonly #requests: RequestOperations;
  readonly #uploads: UploadOperations;
  readonly #parts: PartOperations;
  readonly #lifecycle: LifecycleOperations;
  readonly #scans: ScanOperations;

  constructor({ world, replicas, bucket, scanner, outage }: HistoryOptions) {
    this.#world = world;
    this.#replicas = replicas;
    this.#outage = outage;
    const afterStep = (check: () => void) => this.#afterStep.push(check);
    // A killed worker may hide the answer.
    const isHidden = (outcome: unknown) => outage !== null && outcome === "unavailable";
    this.#access = new AccessOperations(world, outage !== null);
    this.#requests = new RequestOperations(world, { afterStep });
    this.#parts = new PartOperations(world, { afterStep, isHidden });
    const { requested } = this.#requests;
    this.#lifecycle = new LifecycleOperations(world, { requested, isHidden });
    this.#scans = new ScanOperations(world, scanner);
    this.#uploads = new UploadOperations(world, {
      bucket,
      parts: this.#parts,
      isHidden,
      expectMissing: (call) => this.#access.expectMissing(call),
    });
  }

  /** @param settings of the two projects */
  async run(steps: Step[], settings: [LifecycleSettings, LifecycleSettings]): Promise<void> {
    const afterOutage = this.#outage !== null;
    this.#projects.push(...(await createProjects(this.#world, settings, { afterOutage })));
    this.#world.failures.length = 0;
    const outageStep = Math.floor(steps.length / 2);
    for (const [index, step] of steps.entries()) {
      const outage = index === outageStep ? this.#outage : null;
      await this.#during(outage, () => this.#runStep(step));
      await this.#checkStep();
      this.#world.advance(step.advanceMs);
    }
    await this.#settleEverything();
    await this.#checkEnd();
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

  async #runStep({ operations, crash }: Step): Promise<void> {
    await Promise.all(
      operations.map(({ operation, replica }, i) => {
        const deps = this.#replicas[replica]!;
        return this.#perform(crash && i === 0 ? crashingDeps(deps, crash) : deps, operation);
      }),
    );
  }

  async #perform(deps: Deps, operation: Operation): Promise<void> {
    try {
      if ("file" in operation) await this.#performOnFile(deps, operation);
      else await this.#performOnProject(deps, operation);
    } catch (error) {
      // Refusals and crashes are expected. The checks look at the state that they leave.
      if (!(error instanceof StowageError || error instanceof Crash)) throw error;
    }
  }

  async #performOnProject(deps: Deps, operation: Exclude<Operation, { file: number }>): Promise<void> {
    if (operation.do === "sweep") return sweepOnce(deps);
    if (operation.do === "scan") return this.#scan(deps, operation);
    const project = this.#projects[operation.project]!;
    switch (operation.do) {
      case "upload":
      case "open parts": {
        const requested =
          operation.do === "upload"
            ? await this.#requests.upload(deps, operation, project)
            : await this.#requests.openParts(deps, operation, project);
        this.#lifecycle.touch(requested);
        if (operation.isSent) await this.#uploads.send(deps, requested, operation.sentBytes);
        return;
      }
      case "delete tenant":
        return this.#lifecycle.deleteTenant(deps, project, `tenant ${operation.tenant}`);
      case "regenerate key":
        return this.#access.regenerateKey(deps, project);
    }
  }

  async #performOnFile(deps: Deps, operation: Operation & { file: number }): Promise<void> {
    const all = this.#requests.requested;
    const requested = all[operation.file % Math.max(1, all.length)];
    if (!requested) return;
    this.#lifecycle.touch(requested);
    switch (operation.do) {
      case "put":
      case "put of another length":
      case "cut put":
      case "complete":
      case "read":
      case "event":
      case "cancel":
        return this.#uploads.perform(deps, requested, operation);
      case "sign parts":
      case "send parts":
      case "put part":
      case "put part of another length":
        return this.#parts.perform(deps, requested, operation);
      case "download":
      case "delete":
      case "purge":
      case "restore":
      case "hold":
      case "release":
      case "report scan":
        return this.#lifecycle.perform(deps, requested, operation);
      case "call from another project": {
        const other = this.#projects.find((candidate) => candidate !== requested.project)!;
        return this.#access.callFrom(deps, other, requested);
      }
    }
  }

  async #scan(deps: Deps, operation: Operation & { do: "scan" }): Promise<void> {
    const scanned = this.#requests.requested.filter(({ project }) => project.settings.scan === "clamav");
    for (const requested of scanned) this.#lifecycle.touch(requested);
    await this.#scans.scan(deps, operation.scanner, async () => {
      for (const requested of scanned) await this.#uploads.replay(this.#world.deps, requested);
    });
  }

  async #checkStep(): Promise<void> {
    for (const check of this.#afterStep.splice(0)) check();
    await this.#lifecycle.endStep();
    for (const project of this.#projects) project.deletingTenants.clear();
    await expectExactCounters(this.#world, this.#projects);
    const ids = this.#projects.map(({ id }) => id);
    expect(await findMissingTasks(this.#world, ids)).toEqual([]);
    await expectCancelledToStayGone(this.#world, this.#requests.requested);
  }

  /** Does what is due at each time, until nothing is due any more. Files stay on hold for the first round. */
  async #settleEverything(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const ms of ROUND_MS) {
        this.#world.advance(ms);
        await sweepAll(this.#world);
        await this.#scans.scanAll();
      }
      if (round === 0) {
        await this.#lifecycle.endStep();
        await this.#lifecycle.releaseAll();
        await sweepAll(this.#world);
      }
      if ((await unsettledPaths(this.#world, this.#projects)).length === 0) return;
    }
  }

  async #checkEnd(): Promise<void> {
    const { requested } = this.#requests;
    await expectNothingLate(this.#world, requested);
    await expectForgotten(this.#world, requested);
    await this.#checkStep();
    await expectProjectDaysToAddUp(this.#world, this.#projects);
    await expectStorageToAgree(this.#world, this.#projects);
    await this.#parts.expectSentUploadsToBeStored(requested);
    await this.#scans.expectVerdicts(requested);
    await expectSeparateProjects(this.#world, this.#projects);
    expect(this.#world.failures.filter((failure) => !(failure instanceof Crash))).toEqual([]);
  }
}
