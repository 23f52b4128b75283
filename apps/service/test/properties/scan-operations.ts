import { expect } from "vitest";
import { createClamd } from "#scans/clamd.js";
import { scanNextFiles } from "#scans/scan-worker.js";
import { ScanFailedError, type Scanner } from "#scans/scanner.js";
import type { World } from "../fixtures/a-world.js";
import { Crash } from "./crash.js";
import type { Requested } from "./model.js";
import type { ScannerBehavior } from "./operations.js";
import { type aScanner, verdictOfClamd } from "./verdicts.js";

type Deps = World["deps"];

interface Row {
  path: string;
  size: number;
  etag: string;
  status: string;
  signature: string | null;
  isCurrent: boolean;
  isDue: boolean;
}

/** The scan worker, and what its scans leave. */
export class ScanOperations {
  readonly #world: World;
  readonly #scanner: Awaited<ReturnType<typeof aScanner>>;

  constructor(world: World, scanner: Awaited<ReturnType<typeof aScanner>>) {
    this.#world = world;
    this.#scanner = scanner;
  }

  /**
   * Scans the files of a project that are due next.
   *
   * @param replay called between the verdict of a late scanner and its record
   * @returns whether a file was due
   */
  scan(deps: Deps, behavior: ScannerBehavior, replay: () => Promise<void>): Promise<boolean> {
    const clamd = createClamd(this.#scanner.urls[behavior === "hangs up" ? "hangs up" : "answers"]);
    const late: Scanner = {
      ...clamd,
      async scan(bytes, signal) {
        const verdict = await clamd.scan(bytes, signal);
        await replay();
        return verdict;
      },
    };
    const worker = {
      ...deps,
      scanner: behavior === "is late" ? late : clamd,
      stopping: new AbortController().signal,
      onError: (error: unknown) => {
        const isExpected = error instanceof Crash || error instanceof ScanFailedError;
        if (!isExpected) deps.onError(error);
      },
    };
    return scanNextFiles(worker, { afterProject: 0 });
  }

  async scanAll(): Promise<void> {
    while (await this.scan(this.#world.deps, "answers", async () => undefined)) continue;
  }

  /** Each file of a project that scans with clamd has clamd's verdict about its bytes, if clamd gave one. */
  async expectVerdicts(all: Requested[]): Promise<void> {
    const scanned = all.filter(({ project }) => project.settings.scan === "clamav");
    const byPath = new Map(scanned.map((requested) => [requested.filePath, requested]));
    const rows = await this.#world.rows<Row>(
      `select path, size, etag, scan_status as status, scan_signature as signature,
              etag is not distinct from scanned_etag as "isCurrent",
              exists (select from file_tasks t
                      where t.project_id = f.project_id and t.file_id = f.id and t.kind = 'scan') as "isDue"
       from files f where path = any($1::text[]) and status in ('stored', 'trashed')`,
      [`{${[...byPath.keys()].join(",")}}`],
    );
    for (const { path, size, etag, status, signature, isCurrent, isDue } of rows) {
      const verdict = verdictOfClamd(byPath.get(path)!, { etag, sizeBytes: size });
      const isGivenUp = signature === "the scanner failed";
      const expected = { status: isGivenUp ? "unscannable" : verdict, isCurrent: true, isDue: false };
      expect({ status, isCurrent, isDue }).toEqual(expected);
    }
  }
}
