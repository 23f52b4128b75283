import { Readable } from "node:stream";
import { StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { queueScans } from "#files/record/file-tasks.js";
import { createDownload } from "#deliver/create-download.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { type ProjectChange, updateProject } from "#projects/update-project.js";
import { expireMissing } from "#reconcile/expire-missing.js";
import { queueStoredFiles } from "#scans/queue-for-scan.js";
import { reportScan } from "#scans/report-scan.js";
import { rescanProject } from "#scans/rescan-project.js";
import { scanNextFiles } from "#scans/scan-worker.js";
import { ScanFailedError, type Scanner, ScannerDownError, type ScannerVerdict } from "#scans/scanner.js";
import { fanOutProject } from "#webhooks/fan-out-events.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { actorOf, anEndpoint } from "../fixtures/an-endpoint.js";

const HOUR = 3600 * 1000;
const LEASE = 60_000;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

const clean: ScannerVerdict = { verdict: "clean", signature: null };
const infected: ScannerVerdict = { verdict: "infected", signature: "Eicar-Test" };

async function aScanningProject(change: ProjectChange = { scan: "clamav" }) {
  const project = await world.project({ trashDays: 30 });
  // Workers and jobs leave the files of earlier tests alone.
  await world.rows("update projects set scan = 'off', scan_queued_up_to = null");
  const settings = (change: ProjectChange) => updateProject(world.deps, project.ref, change);
  await settings(change);
  return {
    ...project,
    settings,
    async store(bytes = "12345") {
      const upload = await world.upload(project, {});
      expect(await put(upload, bytes)).toBe(200);
      await world.complete(project, upload.filePath);
      return upload;
    },
    download: ({ filePath }: { filePath: string }) =>
      createDownload({ ...world.deps, settling: world.deps }, project, { filePath }).then(
        () => "allowed",
        (error: unknown) => (error instanceof StowageError ? error.code : Promise.reject(error)),
      ),
    report: ({ filePath }: { filePath: string }, { verdict, signature }: ScannerVerdict) =>
      reportScan({ ...world.deps, settling: world.deps }, project, {
        filePath,
        tenantId: undefined,
        verdict,
        signature: signature ?? undefined,
        etag: undefined,
      }),
  };
}

/** A worker whose scanner answers what the test says. Its scanner reads all bytes first. */
function aWorker(
  scan: () => Promise<ScannerVerdict> | ScannerVerdict,
  {
    store = world.deps.store,
    ping = async () => undefined as void,
    stopping = new AbortController().signal,
  } = {},
) {
  const failures: unknown[] = [];
  const scanner: Scanner = {
    ping,
    scan: async (bytes) => {
      for await (const _ of bytes);
      return scan();
    },
  };
  const turn = { afterProject: 0 };
  const deps = {
    ...world.deps,
    store,
    scanner,
    onError: (error: unknown) => void failures.push(error),
    stopping,
  };
  return { failures, scanNext: (most = 1) => scanNextFiles(deps, turn, most) };
}

const scanOf = async ({ filePath }: { filePath: string }) =>
  (
    await world.rows<{ status: string; dueAt: string | null }>(
      `select f.scan_status as status, t.due_at as "dueAt" from files f
       left join file_tasks t on t.project_id = f.project_id and t.file_id = f.id and t.kind = 'scan' where f.path = $1`,
      [filePath],
    )
  )[0]!;

/** Whether a worker has claimed one of the files, for a minute. */
const isClaimed = (scans: { dueAt: string | null }[]) =>
  scans.some(({ dueAt }) => dueAt !== null && Date.parse(dueAt) > world.deps.clock().getTime());

/** A promise that the test resolves. */
function aGate<T = void>() {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { open, opened };
}

describe("a scan that fails", () => {
  const outages: [string, Parameters<typeof aWorker>][] = [
    ["the scanner ends without a verdict", [() => Promise.reject(new ScanFailedError("no verdict"))]],
    ["the scanner is down", [() => Promise.reject(new ScannerDownError("down"))]],
    ["storage ends the connection", [() => Promise.reject(new Error("aborted"))]],
  ];

  test.each(outages)("leaves the file pending for ever if %s", async (_reason, [scan]) => {
    const project = await aScanningProject({ scan: "clamav", allowUnscannable: true });
    const file = await project.store();
    const worker = aWorker(scan);
    for (let n = 1; n <= 7; n++) {
      expect(await worker.scanNext()).toBe(true);
      expect(worker.failures).toHaveLength(n);
      world.advance(HOUR + 1000);
    }
    expect(await project.download(file)).toBe("file_not_scanned");
    await aWorker(() => clean).scanNext();
    expect(await project.download(file)).toBe("allowed");
  });

  test("is repeated after pauses that double", async () => {
    await (await aScanningProject()).store();
    const worker = aWorker(() => Promise.reject(new ScanFailedError("no verdict")));
    for (const pauseMs of [15_000, 30_000, 60_000]) {
      expect(await worker.scanNext()).toBe(true);
      world.advance(pauseMs - 1000);
      expect(await worker.scanNext()).toBe(false);
      world.advance(1000);
    }
  });

  test("leaves the file pending if storage was down many times and then the scanner fails once", async () => {
    const project = await aScanningProject({ scan: "clamav", allowUnscannable: true });
    const file = await project.store();
    const read = () => Promise.reject(new StowageError("unavailable"));
    const withoutStorage = aWorker(() => clean, { store: { ...world.deps.store, read } });
    for (let n = 0; n < 6; n++) {
      await withoutStorage.scanNext();
      world.advance(HOUR + 1000);
    }
    await aWorker(() => Promise.reject(new ScanFailedError("no verdict"))).scanNext();
    expect((await scanOf(file)).status).toBe("pending");
    expect(await project.download(file)).toBe("file_not_scanned");
  });

  test("is no scan if storage sends fewer bytes than the file has", async () => {
    const project = await aScanningProject();
    const file = await project.store("12345");
    const { read } = world.deps.store;
    const cut: typeof read = async (path, signal) => {
      const object = await read(path, signal);
      return object && { ...object, body: Readable.from([Buffer.from("123")]) };
    };
    await aWorker(() => clean, { store: { ...world.deps.store, read: cut } }).scanNext();
    expect((await scanOf(file)).status).toBe("pending");
  });
});

describe("a verdict of a worker", () => {
  /** Starts a scan and stops before the verdict. */
  async function aSlowScan(verdict: ScannerVerdict) {
    const [reached, released] = [aGate(), aGate()];
    const worker = aWorker(async () => {
      reached.open();
      await released.opened;
      return verdict;
    });
    const ended = worker.scanNext();
    await reached.opened;
    return {
      async end() {
        released.open();
        await ended;
        expect(worker.failures).toEqual([]);
      },
    };
  }

  test("does not count after its lease, if another worker has scanned the file", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    const slow = await aSlowScan(clean);
    world.advance(LEASE + 1000);
    await aWorker(() => infected).scanNext();
    await slow.end();
    expect((await scanOf(file)).status).toBe("infected");
    expect(await project.download(file)).toBe("file_quarantined");
  });

  test("does not replace what the customer's own scanner reported after the project had changed to it", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    const slow = await aSlowScan(clean);
    await project.settings({ scan: "external" });
    await project.report(file, infected);
    await slow.end();
    expect(await project.download(file)).toBe("file_quarantined");
  });

  test("does not count for a claim of an earlier time at which the project scanned", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    const slow = await aSlowScan(clean);
    const queueAll = async () => {
      const turn = { afterProject: 0 };
      while (await queueStoredFiles(world.deps, turn)) continue;
    };
    await project.settings({ scan: "external" });
    await queueAll();
    await project.settings({ scan: "clamav" });
    await queueAll();
    const second = await aSlowScan(infected);
    await slow.end();
    expect((await scanOf(file)).status).toBe("pending");
    await second.end();
    expect((await scanOf(file)).status).toBe("infected");
  });

  test("does not count if the object was replaced and brought back during the scan", async () => {
    const project = await aScanningProject();
    const file = await project.store("12345");
    const slow = await aSlowScan(clean);
    for (const bytes of ["other", "12345"]) {
      expect(await put(file, bytes)).toBe(200);
      await settleUpload(world.deps, project.id, file.filePath);
    }
    await slow.end();
    expect((await scanOf(file)).status).toBe("pending");
  });
});

describe("a batch of files", () => {
  const waiting = async ({ id }: { id: number }) =>
    (await world.rows("select from file_tasks where project_id = $1 and kind = 'scan'", [id])).length;

  test("has a verdict for each file whose bytes were scanned, and none for another one", async () => {
    const project = await aScanningProject();
    const [, replaced] = [await project.store("a"), await project.store("b"), await project.store("c")];
    let scans = 0;
    const worker = aWorker(async () => {
      if (++scans < 3) return clean;
      expect(await put(replaced, "other bytes")).toBe(200);
      await settleUpload(world.deps, project.id, replaced.filePath);
      return infected;
    });
    expect(await worker.scanNext(3)).toBe(true);
    expect(worker.failures).toEqual([]);
    const statuses = await world.rows<{ status: string; files: number }>(
      `select scan_status as status, count(*)::integer as files from files where project_id = $1 group by 1 order by 1`,
      [project.id],
    );
    expect(statuses).toContainEqual({ status: "pending", files: 1 });
    expect((await scanOf(replaced)).status).toBe("pending");
    expect(await waiting(project)).toBe(1);
  });

  test("goes on if the scan of one of them fails", async () => {
    const project = await aScanningProject();
    for (const bytes of ["a", "b", "c"]) await project.store(bytes);
    let scans = 0;
    const worker = aWorker(() => (++scans === 2 ? Promise.reject(new ScanFailedError("no verdict")) : clean));
    await worker.scanNext(3);
    expect(worker.failures).toHaveLength(1);
    expect(await waiting(project)).toBe(1);
  });

  test("ends with the first large file", async () => {
    const project = await aScanningProject();
    const sizes = [1, 1, 2 ** 23, 1, 1];
    for (const size of sizes) await project.store("x".repeat(size));
    let scans = 0;
    const worker = aWorker(() => (scans++, clean));
    const scanned = [];
    while (await worker.scanNext(32)) scanned.push(scans);
    expect(scanned).toEqual([3, 5]);
  });

  test("gives back the files that it has not begun after ten seconds", async () => {
    const project = await aScanningProject();
    for (let n = 0; n < 6; n++) await project.store(`${n}`);
    let scans = 0;
    const worker = aWorker(() => {
      scans++;
      world.advance(11_000);
      return clean;
    });
    expect(await worker.scanNext(6)).toBe(true);
    expect(scans).toBe(4);
    expect(await waiting(project)).toBe(2);
    expect(await worker.scanNext(6)).toBe(true);
    expect(scans).toBe(6);
    expect(worker.failures).toEqual([]);
  });

  test("is given back as a whole if the worker stops", async () => {
    const project = await aScanningProject();
    for (let n = 0; n < 6; n++) await project.store(`${n}`);
    const stopping = new AbortController();
    const worker = aWorker(
      () => {
        stopping.abort();
        return Promise.reject(new Error("stopping"));
      },
      { stopping: stopping.signal },
    );
    expect(await worker.scanNext(6)).toBe(false);
    let scans = 0;
    await aWorker(() => (scans++, clean)).scanNext(6);
    expect(scans).toBe(6);
  });
});

describe("an infected file", () => {
  test("stays in quarantine if storage loses it and it comes back while the project does not scan", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    await aWorker(() => infected).scanNext();
    await project.settings({ scan: "off" });
    await world.deps.store.remove(file.filePath);
    expect(await expireMissing(world.deps, project.id, file.filePath)).toBe(true);
    expect(await put(file, "12345")).toBe(200);
    await settleUpload(world.deps, project.id, file.filePath);
    expect(await project.download(file)).toBe("file_quarantined");
  });

  test("is still in quarantine after the trash, and a file that waits there is still not scanned", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    const trash = async () => {
      const paths = [file.filePath];
      await deleteFiles(world.deps, project, { paths, tenantId: undefined, mustExist: true, purge: false });
      await restoreFiles(world.deps, project, { paths, tenantId: undefined, mustExist: true });
    };
    await trash();
    expect(await project.download(file)).toBe("file_not_scanned");
    await aWorker(() => infected).scanNext();
    await trash();
    expect(await project.download(file)).toBe("file_quarantined");
  });
});

test("a file without an ETag is never clean", async () => {
  const project = await aScanningProject();
  const file = await project.store();
  for (const etag of [null, ""]) {
    const parameters = [file.filePath, etag] as string[];
    await world.rows(
      `update files set etag = $2, scanned_etag = $2, scan_status = 'clean' where path = $1`,
      parameters,
    );
    expect(await project.download(file)).toBe("file_not_scanned");
  }
  const [row] = await world.rows<{ id: number }>(
    "update files set scan_status = 'pending' where path = $1 returning id",
    [file.filePath],
  );
  await queueScans(world.deps.db, project.id, [row!.id], world.deps.clock());
  expect(await aWorker(() => clean).scanNext()).toBe(false);
});

describe("another scan of a project's files", () => {
  const rescan = (project: { id: number; ref: string }, block = false) =>
    rescanProject(world.deps, actorOf(project), { block });
  const finds = (verdict: ScannerVerdict) => aWorker(() => verdict).scanNext();
  async function twoCleanFiles() {
    const project = await aScanningProject();
    const files = [await project.store("11"), await project.store("22")] as const;
    await finds(clean);
    await finds(clean);
    return { project, files, downloads: () => Promise.all(files.map(project.download)) };
  }

  test("leaves a file available until it is found infected, and sends an event only for another verdict", async () => {
    const { project, files, downloads } = await twoCleanFiles();
    await anEndpoint(world, project, { url: "https://example.com/", events: ["file.scanned"] });
    expect(await rescan(project)).toBe(2);
    expect(await downloads()).toEqual(["allowed", "allowed"]);
    await finds(clean);
    await finds(infected);
    expect(await finds(clean)).toBe(false);
    expect((await downloads()).toSorted()).toEqual(["allowed", "file_quarantined"]);
    await fanOutProject(world.deps.db, project.id);
    const events = await world.rows("select type from webhook_events where project_id = $1", [project.id]);
    expect(events).toEqual([{ type: "file.scanned" }]);
    expect(await rescan(project)).toBe(1);
    expect(await Promise.all(files.map(scanOf))).toContainEqual({ status: "infected", dueAt: null });
  });

  test("can block the downloads until it has found nothing", async () => {
    const { project, downloads } = await twoCleanFiles();
    expect(await rescan(project, true)).toBe(2);
    expect(await downloads()).toEqual(["file_not_scanned", "file_not_scanned"]);
    expect(await rescan(project, true)).toBe(0);
    await finds(clean);
    await finds(clean);
    expect(await downloads()).toEqual(["allowed", "allowed"]);
  });

  test("ends a scan that runs already, whose signatures may be old", async () => {
    const { project, files } = await twoCleanFiles();
    await rescan(project);
    const { open, opened } = aGate<ScannerVerdict>();
    const scanning = aWorker(() => opened).scanNext();
    await expect.poll(() => Promise.all(files.map(scanOf)).then(isClaimed)).toBe(true);
    await rescan(project);
    open(infected);
    await scanning;
    expect((await Promise.all(files.map(scanOf))).map(({ status }) => status)).toEqual(["clean", "clean"]);
  });

  test("is refused for a project that does not scan with clamd, and is in the audit log", async () => {
    const { project } = await twoCleanFiles();
    await rescan(project);
    await project.settings({ scan: "external" });
    await expect(rescan(project)).rejects.toMatchObject({ code: "invalid_request" });
    const entries = await world.rows(
      "select details from audit_log where project_id = $1 and action = 'project.rescanned'",
      [project.id],
    );
    expect(entries).toEqual([{ details: { block: false } }]);
  });
});

describe("the queue of files that were stored before a project scanned", () => {
  test("looks at the projects in turns, so a project with many files does not delay another one", async () => {
    const [busy, other] = [await aScanningProject({ scan: "off" }), await world.project()];
    const file = await busy.store();
    // More files than one step looks at.
    await world.rows(
      `insert into files (project_id, tenant, path, filename, content_type, status, url_expires_at, created_at)
      select project_id, tenant, path || n, filename, content_type, 'expired', url_expires_at, created_at
      from files cross join generate_series(1, 2500) n where path = $1`,
      [file.filePath],
    );
    const upload = await world.upload(other, {});
    expect(await put(upload, "12345")).toBe(200);
    await world.complete(other, upload.filePath);
    for (const { ref } of [busy, other]) await updateProject(world.deps, ref, { scan: "clamav" });
    const turn = { afterProject: 0 };
    for (let step = 0; step < 2; step++) await queueStoredFiles(world.deps, turn);
    expect((await scanOf(upload)).status).toBe("pending");
    while (await queueStoredFiles(world.deps, turn)) continue;
    expect((await scanOf(file)).status).toBe("pending");
  });

  test("starts anew if the setting changes while a step reads the old one", async () => {
    const project = await aScanningProject({ scan: "off" });
    const file = await project.store();
    await project.settings({ scan: "external" });
    await project.settings({ scan: "off" });
    // The change commits after the step has read that the project does not scan.
    const { execute } = world.deps.db;
    let isChanged = false;
    const db = {
      ...world.deps.db,
      execute: async <Row>(text: string, values: Parameters<typeof execute>[1]) => {
        const rows = await execute<Row>(text, values);
        if (!isChanged) {
          isChanged = true;
          await project.settings({ scan: "clamav" });
        }
        return rows;
      },
    };
    const turn = { afterProject: 0 };
    await queueStoredFiles({ ...world.deps, db }, turn);
    while (await queueStoredFiles(world.deps, turn)) continue;
    expect(await scanOf(file)).toMatchObject({ status: "pending", dueAt: expect.anything() as string });
  });
});
