import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A reporter that writes `{ files, ended, failed }`, each a number of test files, while vitest runs. scripts/test.mjs reads it. It names no
 * type of vitest, because packages with other peer dependencies have another copy of these types.
 */
export class ProgressReporter {
  readonly #file: string;
  #counts = { files: 0, ended: 0, failed: 0 };

  /** @param file its path, relative to the folder of the run */
  constructor(file: string) {
    this.#file = file;
  }

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#counts = { files: specifications.length, ended: 0, failed: 0 };
    this.#write();
  }

  onTestModuleEnd(module: { state(): string }): void {
    this.#counts.ended++;
    if (module.state() === "failed") this.#counts.failed++;
    this.#write();
  }

  #write(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#counts));
  }
}
