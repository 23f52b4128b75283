import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A reporter that writes `{ files, ended, failed }` while vitest runs: two numbers of test files, and the paths of those that failed.
 * scripts/test.mjs reads it. It names no type of vitest, because packages with other peer dependencies have another copy of these types.
 */
export class ProgressReporter {
  readonly #file: string;
  #counts = { files: 0, ended: 0, failed: [] as string[] };

  /** @param file its path, relative to the folder of the run */
  constructor(file: string) {
    this.#file = file;
  }

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#counts = { files: specifications.length, ended: 0, failed: [] };
    this.#write();
  }

  onTestModuleEnd(module: { relativeModuleId: string; state(): string }): void {
    this.#counts.ended++;
    if (module.state() === "failed") this.#counts.failed.push(module.relativeModuleId);
    this.#write();
  }

  #write(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#counts));
  }
}
