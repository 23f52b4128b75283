import { expect } from "vitest";
import { completeUpload } from "#files/settle/complete-upload.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#deliver/create-download.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { signParts } from "#files/parts/sign-parts.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { requestUpload } from "#files/upload/request-upload.js";
import { hashApiKey } from "#projects/api-key.js";
import { regenerateKey } from "#projects/regenerate-key.js";
import { reportScan } from "#scans/report-scan.js";
import type { World } from "../fixtures/a-world.js";
import type { HistoryProject, Requested } from "./model.js";

type Deps = World["deps"];

/** Calls that the service must refuse in each state of a file. */
export class AccessOperations {
  readonly #world: World;
  readonly #canLoseAnswers: boolean;

  /** @param canLoseAnswers a killed worker may hide an answer */
  constructor(world: World, canLoseAnswers: boolean) {
    this.#world = world;
    this.#canLoseAnswers = canLoseAnswers;
  }

  async regenerateKey(deps: Deps, project: HistoryProject): Promise<void> {
    const old = project.apiKeyHash;
    const { apiKey } = await regenerateKey(this.#world.deps, project.ref);
    project.apiKeyHash = hashApiKey(apiKey);
    const caller = { projectId: project.id, apiKeyHash: old };
    const request = { tenantId: "tenant 0", filename: "a.txt" };
    await expect(requestUpload(deps, caller, request)).rejects.toThrow(/Unauthorized|^$/);
  }

  async callFrom(deps: Deps, other: HistoryProject, { filePath }: Requested): Promise<void> {
    await this.expectMissing(signParts(deps, other, { filePath, parts: [{ number: 1 }] }));
    await this.expectMissing(completeUpload(deps, other, { filePath }));
    await this.expectMissing(cancelUpload(deps, other, { filePath }));
    const settling = { ...deps, settling: deps };
    const single = { paths: [filePath], mustExist: true, tenantId: undefined };
    await this.expectMissing(createDownload(settling, other, { filePath }));
    await this.expectMissing(deleteFiles(deps, other, { ...single, purge: true }));
    await this.expectMissing(restoreFiles(deps, other, single));
    await this.expectMissing(holdFile(settling, other, { filePath, hold: true }));
    await this.expectMissing(reportScan(settling, other, { filePath, verdict: "clean" }));
  }

  /** A killed process answers nothing, and a killed worker may hide the answer. */
  async expectMissing(call: Promise<unknown>): Promise<void> {
    const answers = this.#canLoseAnswers
      ? /^(File not found|Service temporarily unavailable|)$/
      : /^(File not found|)$/;
    await expect(call).rejects.toThrow(answers);
  }
}
