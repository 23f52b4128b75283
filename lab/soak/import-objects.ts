import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import { aSourceStore, SOURCE_BUCKET } from "@stowage/service/test/fixtures/a-source-store.js";
import { runStowage } from "./command-line.js";
import { bytesOf, type Content } from "./contents.js";
import type { SoakFile } from "./ledger.js";
import type { LoadState } from "./load-state.js";

/** No job for a folder moves it, so files that the load does not know yet stay there. */
const FOLDER = "imported";
const OBJECTS = 8;
const TENANTS = 8;
const MAX_BYTES = 5000;
const PAUSE_MS = 10_000;
const TIMEOUT_MS = 60_000;
const KILLED_SHARE = 0.3;
const KILLED_WITHIN_MS = 4000;

export interface Imports {
  /** Ends after an import that was not killed. */
  stop(): Promise<void>;
}

/** Imports new objects of another store into the first project again and again. Some runs are killed. */
export async function startImports(settings: Record<string, string>, state: LoadState): Promise<Imports> {
  const source = await aSourceStore();
  const table = join(source.dir, "table.ndjson");
  const { random, onWrong } = state;
  const project = state.projects[0]!;
  const args = [
    "import",
    "--project",
    project.ref,
    "--from",
    `s3://${SOURCE_BUCKET}`,
    "--endpoint",
    source.endpoint,
  ];
  args.push("--pattern", "{tenant}/{folder}/{filename}", "--table", table, "--json");
  /** What the source has, by key. */
  const left = new Map<string, Content>();
  const stopping = new AbortController();
  let made = 0;

  async function put(): Promise<void> {
    for (let n = 0; n < OBJECTS; n++) {
      const content = {
        kind: "fill" as const,
        fill: random.below(256),
        sizeBytes: 1 + random.below(MAX_BYTES),
      };
      const key = `t${random.below(TENANTS)}/${FOLDER}/${made++}.txt`;
      await source.put(key, bytesOf(content));
      left.set(key, content);
    }
  }

  /** @returns whether the command ended well */
  async function run(limitMs: number): Promise<boolean> {
    state.mayHaveMade.audit_log++;
    const { code, lines } = await runStowage({ ...settings, ...source.settings }, args, limitMs);
    if (code !== 0) return false;
    await take();
    if (left.size > 0) onWrong(`an import left ${[...left.keys()].join()}: ${lines.join()}`);
    return true;
  }

  /** Hands the files of the table to the load, and removes their objects from the source. */
  async function take(): Promise<void> {
    const lines = (await readFile(table, "utf8")).split("\n").filter(Boolean);
    for (const line of lines) {
      const { type, key, file_path, tenant_id, size } = JSON.parse(line) as Record<string, string>;
      if (type !== "file") continue;
      const content = left.get(key!);
      const known = state.files.get(file_path!);
      if (!content && !known) onWrong(`an import made a second file of ${key}`);
      if (!content) continue;
      if (known || Number(size) !== content.sizeBytes || !key!.startsWith(`${tenant_id}/`))
        onWrong(`a wrong line of an import: ${line}`);
      left.delete(key!);
      await source.client.send(new DeleteObjectCommand({ Bucket: SOURCE_BUCKET, Key: key! }));
      const file = anImportedFile({ ...content, path: file_path!, tenant: tenant_id! });
      state.files.set(file.path, file);
      state.live.push(file);
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await put();
      const isKilled = random.next() < KILLED_SHARE;
      await run(isKilled ? random.below(KILLED_WITHIN_MS) : TIMEOUT_MS);
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
      if (!(await run(TIMEOUT_MS))) onWrong("the last import did not end well");
      await source[Symbol.asyncDispose]();
    },
  };
}

const anImportedFile = (parts: Content & Pick<SoakFile, "path" | "tenant">): SoakFile => ({
  ...parts,
  project: 0,
  folders: new Set([FOLDER]),
  notes: new Set([""]),
  states: new Set(["stored"]),
  ends: null,
  unsureUntil: 0,
  isByParts: false,
  isRecorded: true,
  isExpired: false,
  isBusy: false,
  chain: null,
  mayBeReplaced: false,
  mayBeClaimed: false,
  tried: { send: 1 },
  done: { send: 1 },
});
