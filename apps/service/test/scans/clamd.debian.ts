import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { checkReadiness } from "#health/check-readiness.js";
import { updateProject } from "#projects/update-project.js";
import { createClamd } from "#scans/clamd.js";
import { scanNextFiles, type ScanWorkerDeps } from "#scans/scan-worker.js";
import type { Scanner } from "#scans/scanner.js";
import { aDecoder } from "../fixtures/an-image-project.js";
import { aPdf } from "../fixtures/a-pdf.js";
import { type Clamd, aClamd, aZip, anEncryptedZip, EICAR, STREAM_MAX_BYTES } from "../fixtures/a-clamd.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { oneStorage } from "../fixtures/one-storage.js";
import { startWorker } from "../fixtures/worker-jobs.js";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const LEASE_MS = 60_000;

let clamd: Clamd;
let world: World;
beforeEach(async () => {
  [clamd, world] = await Promise.all([aClamd(), aWorld()]);
});
afterEach(async () => {
  await Promise.all([clamd.close(), world.close()]);
});

type Project = Awaited<ReturnType<World["project"]>>;

async function aScanningProject(): Promise<Project> {
  const project = await world.project();
  await updateProject(world.deps, project.ref, { scan: "clamav" });
  return project;
}

async function store(project: Project, bytes: string | Buffer) {
  const upload = await world.upload(project, {});
  const { status } = await fetch(upload.presignedUrl, {
    method: "PUT",
    headers: upload.headers,
    body: bytes,
  });
  expect(status).toBe(200);
  await world.complete(project, upload.filePath);
  return upload;
}

/** A worker's turn, with the real clamd. */
function aWorker(change: (scanner: Scanner) => Partial<Scanner> = () => ({})) {
  const scanner = createClamd(clamd.url);
  const deps: ScanWorkerDeps = {
    ...world.deps,
    scanner: { ...scanner, ...change(scanner) },
    stopping: new AbortController().signal,
  };
  const turn = { afterProject: 0 };
  return {
    scanNext: (most?: number) => scanNextFiles(deps, turn, most),
    async scanAll() {
      while (await scanNextFiles(deps, turn)) continue;
    },
  };
}

async function scanOf({ filePath }: { filePath: string }) {
  const [row] = await world.rows<{ status: string; signature: string | null; claim: number | null }>(
    `select f.scan_status as status, f.scan_signature as signature, t.claim from files f
     left join file_tasks t on t.project_id = f.project_id and t.file_id = f.id and t.kind = 'scan' where f.path = $1`,
    [filePath],
  );
  return row!;
}

const download = (project: Project, { filePath }: { filePath: string }) =>
  createDownload({ ...world.deps, settling: world.deps }, project, { filePath }).then(
    () => "allowed",
    (error: { code: string }) => error.code,
  );

test("clean files can be downloaded, and infected ones are quarantined under the name that clamd found", async () => {
  const project = await aScanningProject();
  const [harmless, infected] = [await store(project, "hello"), await store(project, EICAR)];
  expect([await download(project, harmless), await download(project, infected)]).toEqual([
    "file_not_scanned",
    "file_not_scanned",
  ]);
  await aWorker().scanAll();
  expect(world.failures).toEqual([]);
  expect(await scanOf(harmless)).toMatchObject({ status: "clean", signature: null });
  expect((await scanOf(infected)).signature).toMatch(/^Eicar-Test/);
  expect([await download(project, harmless), await download(project, infected)]).toEqual([
    "allowed",
    "file_quarantined",
  ]);
});

test("an encrypted archive and a file that is larger than clamd's limit cannot be scanned", async () => {
  const project = await aScanningProject();
  const archive = await store(project, anEncryptedZip());
  const large = await store(project, Buffer.alloc(STREAM_MAX_BYTES + 5_000_000, 1));
  // If clamd closes the connection before its answer is read, the file is scanned again later.
  for (let n = 0; n < 6 && (await scanOf(large)).status === "pending"; n++) {
    await aWorker().scanAll();
    world.advance(3_600_000);
  }
  expect(await scanOf(archive)).toMatchObject({
    status: "unscannable",
    signature: "Heuristics.Encrypted.Zip",
  });
  expect((await scanOf(large)).status).toBe("unscannable");
  expect(await download(project, large)).toBe("file_quarantined");
  await updateProject(world.deps, project.ref, { allowUnscannable: true });
  expect(await download(project, large)).toBe("allowed");
});

test("containers that nobody can look into whole are unscannable, also where clamd is not told to report encryption", async () => {
  const project = await aScanningProject();
  const silent = await aClamd({ AlertEncrypted: "no" });
  try {
    const withPassword = await store(project, aPdf({ encryption: "of readers" }));
    let nested = aZip(Buffer.from("hello"));
    for (let depth = 0; depth < 30; depth++) nested = aZip(nested);
    const deep = await store(project, nested);
    const flat = await store(project, aZip(Buffer.from("hello")));
    await aWorker().scanAll();
    expect(await Promise.all([withPassword, deep, flat].map(scanOf))).toMatchObject([
      { status: "unscannable", signature: "Heuristics.Encrypted.PDF" },
      { status: "unscannable", signature: "Heuristics.Limits.Exceeded.MaxRecursion" },
      { status: "clean" },
    ]);
    const archive = await store(project, anEncryptedZip());
    const infected = await store(project, Buffer.concat([Buffer.from(EICAR), anEncryptedZip()]));
    await aWorker(() => createClamd(silent.url)).scanAll();
    expect(await scanOf(archive)).toMatchObject({ status: "unscannable", signature: "encrypted ZIP" });
    expect((await scanOf(infected)).status).toBe("infected");
  } finally {
    await silent.close();
  }
});

test("a session that is kept uses the signatures that clamd has loaded in the meantime", async () => {
  const session = createClamd(clamd.url);
  const scan = () => session.scan(Readable.from([Buffer.from("a new virus")]), new AbortController().signal);
  expect((await scan()).verdict).toBe("clean");
  await clamd.addSignature("New", "a new virus");
  // A session is kept for five seconds.
  await expect.poll(async () => (await scan()).verdict, { interval: 500, timeout: 20_000 }).toBe("infected");
});

test("while clamd is down, nothing is claimed and nothing can be downloaded", async () => {
  const project = await aScanningProject();
  const file = await store(project, "hello");
  const before = await scanOf(file);
  await clamd.kill();
  await expect(aWorker().scanNext()).rejects.toThrow("clamd does not answer");
  expect(await scanOf(file)).toEqual(before);
  expect(await download(project, file)).toBe("file_not_scanned");
  await clamd.revive();
  await aWorker().scanAll();
  expect(await download(project, file)).toBe("allowed");
});

test.each([
  ["is gone", () => clamd.kill(), () => clamd.revive()],
  ["answers nothing", async () => clamd.freeze(), async () => clamd.thaw()],
])("the readiness says within ten seconds that clamd %s, and that it is back", async (_, end, back) => {
  await aScanningProject();
  const clock = () => new Date();
  const decoder = aDecoder("sleeps", { processes: 1 });
  const scanner = createClamd(clamd.url);
  const worker = startWorker(world, { scanner, decoder, clock, onError: () => undefined });
  const ready = {
    ...world.deps,
    clock,
    isDiskFull: () => false,
    isDraining: () => false,
    storages: oneStorage(world.deps.store, "any"),
    clockCheck: { findProblem: async () => null },
  };
  const state = async () => (await checkReadiness(ready)).scanner;
  try {
    await expect.poll(state, { timeout: 10_000 }).toBe("up");
    await end();
    await expect.poll(state, { timeout: 10_000 }).toBe("down");
    await back();
    await expect.poll(state, { timeout: 10_000 }).toBe("up");
  } finally {
    await worker.stop();
    await decoder.close();
  }
});

test("a worker that is killed in the middle of a scan leaves the file pending, and another worker scans it", async () => {
  const project = await aScanningProject();
  const file = await store(project, Buffer.alloc(STREAM_MAX_BYTES - 1, 1));
  const firstClaim = (await scanOf(file)).claim! + 1;
  const env = { PATH: process.env["PATH"], ...inject("servers"), DATABASE_URL: world.databaseUrl };
  const child = spawn(process.execPath, [CLI, "worker"], {
    env: { ...env, CLAMAV_URL: clamd.url },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await expect
    .poll(async () => (await scanOf(file)).claim, { interval: 5, timeout: 30_000 })
    .toBe(firstClaim);
  clamd.freeze();
  child.kill("SIGKILL");
  await ended;
  clamd.thaw();
  expect(await scanOf(file)).toMatchObject({ status: "pending", claim: firstClaim });
  expect(await download(project, file)).toBe("file_not_scanned");
  expect(await aWorker().scanNext()).toBe(false);
  world.advance(LEASE_MS + 1000);
  await aWorker().scanAll();
  expect(await scanOf(file)).toMatchObject({ status: "clean", claim: null });
  expect(await download(project, file)).toBe("allowed");
});

test("a verdict about bytes that were replaced during their scan does not count", async () => {
  const project = await aScanningProject();
  const file = await store(project, "hello");
  let isReplaced = false;
  const worker = aWorker((scanner) => ({
    scan: async (bytes, signal) => {
      const verdict = await scanner.scan(bytes, signal);
      if (!isReplaced) {
        isReplaced = true;
        expect(await put(file, EICAR)).toBe(200);
        await settleUpload(world.deps, project.id, file.filePath);
      }
      return verdict;
    },
  }));
  await worker.scanNext();
  expect((await scanOf(file)).status).toBe("pending");
  expect(await download(project, file)).toBe("file_not_scanned");
  await worker.scanAll();
  expect((await scanOf(file)).status).toBe("infected");
});

test("two workers never scan the same file at the same time", async () => {
  const project = await aScanningProject();
  const files = await Promise.all(Array.from({ length: 12 }, (_, n) => store(project, `file ${n}`)));
  let scans = 0;
  const aCountingWorker = () =>
    aWorker((scanner) => ({
      scan: (bytes, signal) => {
        scans++;
        return scanner.scan(bytes, signal);
      },
    }));
  await Promise.all(Array.from({ length: 4 }, () => aCountingWorker().scanAll()));
  expect(world.failures).toEqual([]);
  expect(scans).toBe(files.length);
  for (const file of files) expect(await scanOf(file)).toMatchObject({ status: "clean", claim: null });
});

test("a project with many waiting files delays another project's file by one batch", async () => {
  const [busy, other] = [await aScanningProject(), await aScanningProject()];
  for (let n = 0; n < 5; n++) await store(busy, `file ${n}`);
  const file = await store(other, "hello");
  const worker = aWorker();
  await worker.scanNext(2);
  await worker.scanNext(2);
  expect((await scanOf(file)).status).toBe("clean");
  const [waiting] = await world.rows(
    "select count(*)::integer as files from file_tasks where project_id = $1 and kind = 'scan'",
    [busy.id],
  );
  expect(waiting).toEqual({ files: 3 });
});
