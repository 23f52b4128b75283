import type { DownloadResponse, File } from "@stowage/schemas";
import type { ScanSetting } from "@stowage/operator-schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Thumbnail } from "#deliver/create-thumbnails.js";
import type { QuarantinePage } from "#scans/list-quarantine.js";
import { aMember, anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

const notScanned = { status: 403, body: { detail: "File has not been scanned yet" } };
const quarantined = { status: 403, body: { detail: "File is quarantined" } };

interface ScanSettings {
  trashDays?: number;
  scan?: ScanSetting;
  allowUnscannable?: boolean;
}

/** Whether a scan worker would claim the file. */
async function isQueued({ file_path }: { file_path: string }): Promise<boolean> {
  const rows = await queryDatabase(
    `select t.due_at from file_tasks t join files f on f.project_id = t.project_id and f.id = t.file_id
     where t.kind = 'scan' and f.path = $1`,
    [file_path],
  );
  return rows.length > 0;
}

/** A project whose files are scanned by the customer's own scanner. */
async function aScanningProject(settings: ScanSettings = { scan: "external" }) {
  const project = await anOwnedProject(owner);
  const change = (settings: ScanSettings) =>
    owner.mutate("settings.update", { projectRef: project.projectRef, ...settings });
  await change(settings);
  const post = <Body = { detail: string }>(path: string, body: object) =>
    call<Body>(`${service.url}/api/storage/${path}/`, { key: project.apiKey, body });
  return {
    ...project,
    change,
    store: (body = {}) => aStoredFile(service.url, project.apiKey, body),
    complete: ({ file_path }: { file_path: string }) => post("complete", { file_path }),
    report: (body: object) => post<File & { detail: string }>("scan-result", body),
    download: ({ file_path }: { file_path: string }) =>
      post<DownloadResponse & { detail: string }>("download", { file_path }),
    read: async ({ file_path }: { file_path: string }) =>
      (
        await call<File>(
          `${service.url}/api/storage/file/?${new URLSearchParams({ file_path }).toString()}`,
          {
            key: project.apiKey,
          },
        )
      ).body,
  };
}

async function idOf({ file_path }: File): Promise<number> {
  const [row] = await queryDatabase<{ id: number }>("select id::float8 from files where path = $1", [
    file_path,
  ]);
  return row!.id;
}

describe("a project that scans", () => {
  test("hands out a file only after the scan found it clean", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    expect(file.scan_status).toBe("pending");
    expect(await project.download(file)).toMatchObject(notScanned);
    const reported = await project.report({ file_path: file.file_path, verdict: "clean", etag: file.etag });
    expect(reported).toMatchObject({ status: 200, body: { scan_status: "clean" } });
    const { body } = await project.download(file);
    expect(await (await fetch(body.presigned_url)).text()).toBe("hello");
  });

  test("refuses a download right after the PUT, before anything has recorded the file", async () => {
    const project = await aScanningProject();
    const upload = await anUpload(service.url, project.apiKey, { tenant_id: "t", filename: "a.txt" });
    expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
    expect(await project.download(upload)).toMatchObject(notScanned);
  });

  test("keeps an infected file in quarantine, also when the project has stopped scanning", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    const report = { file_path: file.file_path, verdict: "infected", signature: "Eicar-Test" };
    expect((await project.report(report)).body.scan_status).toBe("infected");
    expect(await project.download(file)).toMatchObject(quarantined);
    await project.change({ scan: "off" });
    expect(await project.download(file)).toMatchObject(quarantined);
  });

  test("hands out a file that cannot be scanned only if its setting allows it", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    await project.report({ file_path: file.file_path, verdict: "unscannable" });
    expect(await project.download(file)).toMatchObject(quarantined);
    await project.change({ allowUnscannable: true });
    expect((await project.download(file)).status).toBe(200);
  });

  test.each(["clean", "infected"])(
    "refuses a file that was found %s as soon as a replayed PUT has replaced its bytes",
    async (verdict) => {
      const project = await aScanningProject();
      const upload = await anUpload(service.url, project.apiKey, { tenant_id: "t", filename: "a.txt" });
      await putBytes(upload, Buffer.from("hello"));
      await project.report({ file_path: upload.file_path, verdict });
      await putBytes(upload, Buffer.from("other bytes"));
      expect((await project.download(upload)).status).toBe(403);
      await call(`${service.url}/api/storage/complete/`, {
        key: project.apiKey,
        body: { file_path: upload.file_path },
      });
      expect(await project.download(upload)).toMatchObject(notScanned);
      expect((await project.read(upload)).scan_status).toBe("pending");
    },
  );

  test("refuses a verdict about other bytes", async () => {
    const project = await aScanningProject();
    const { file_path, etag } = await project.store();
    const other = await project.store({ bytes: "other bytes" });
    expect(await project.report({ file_path, verdict: "clean", etag: other.etag })).toMatchObject({
      status: 409,
      body: { detail: "File has changed since it was scanned" },
    });
    expect((await project.read({ file_path })).scan_status).toBe("pending");
    expect((await project.report({ file_path, verdict: "clean", etag })).status).toBe(200);
  });

  test.each(["off", "clamav"] as const)("takes no verdict of others while its scan is %s", async (scan) => {
    const project = await aScanningProject({ scan });
    const { file_path } = await project.store();
    expect(await project.report({ file_path, verdict: "clean" })).toMatchObject({
      status: 400,
      body: { detail: "The project's setting scan is not external" },
    });
  });

  test("refuses files that were stored before it scanned, from the moment of the change", async () => {
    const project = await aScanningProject({ scan: "off" });
    const file = await project.store();
    expect(file.scan_status).toBe("none");
    expect((await project.download(file)).status).toBe(200);
    await project.change({ scan: "clamav" });
    expect(await project.download(file)).toMatchObject(notScanned);
    expect(await isQueued(file)).toBe(true);
    await project.change({ scan: "off" });
    expect((await project.download(file)).status).toBe(200);
  });

  test("queues a pending file that no worker would claim, as soon as it is downloaded", async () => {
    const project = await aScanningProject();
    const file = await project.store();
    // The file was stored while the setting changed, and the step that queues stored files had passed it already.
    await queryDatabase("update projects set scan = 'clamav' where ref = $1", [project.projectRef]);
    expect(await project.download(file)).toMatchObject(notScanned);
    expect(await isQueued(file)).toBe(true);
  });

  test("gives operators no links and no thumbnails of files that are not clean", async () => {
    const project = await aScanningProject();
    const image = await project.store({ filename: "a.png", content_type: "image/png" });
    const { projectRef } = project;
    const fileId = await idOf(image);
    const links = () => owner.mutate("files.links", { projectRef, fileId });
    const thumbnails = async () =>
      (await owner.mutate<Thumbnail[]>("files.thumbnails", { projectRef, fileIds: [fileId] })).data.length;
    expect(await links()).toMatchObject({ status: 403, code: "file_not_scanned" });
    expect(await thumbnails()).toBe(0);
    await project.report({ file_path: image.file_path, verdict: "infected" });
    expect(await links()).toMatchObject({ status: 403, code: "file_quarantined" });
    await project.report({ file_path: image.file_path, verdict: "clean" });
    expect((await links()).status).toBe(200);
    expect(await thumbnails()).toBe(1);
  });
});

describe("the quarantine", () => {
  test("lists infected and unscannable files, and only an owner may release one, which is audited", async () => {
    const project = await aScanningProject();
    const { projectRef } = project;
    const [infected, encrypted, clean] = [
      await project.store(),
      await project.store(),
      await project.store(),
    ];
    const signature = "Eicar-Test";
    await project.report({ file_path: infected.file_path, verdict: "infected", signature });
    await project.report({ file_path: encrypted.file_path, verdict: "unscannable" });
    await project.report({ file_path: clean.file_path, verdict: "clean" });
    const list = async (input = {}) =>
      (await owner.query<QuarantinePage>("quarantine.list", { projectRef, ...input })).data;
    expect((await list()).files).toMatchObject([
      { filename: "a.txt", verdict: "unscannable", signature: null },
      { filename: "a.txt", tenantId: "t", verdict: "infected", signature },
    ]);
    const first = await list({ limit: 1 });
    expect((await list({ limit: 1, cursor: first.nextCursor })).files).toMatchObject([{ signature }]);

    const release = { projectRef, fileId: await idOf(infected), etag: (await list()).files[1]!.etag };
    const member = await aMember(service.url, projectRef, "member");
    expect((await member.mutate("quarantine.release", release)).code).toBe("role_too_low");
    expect((await owner.mutate("quarantine.release", release)).status).toBe(200);
    expect((await project.download(infected)).status).toBe(200);
    expect((await list()).files).toHaveLength(1);
    const { data } = await owner.query<{ entries: object[] }>("audit.list", { projectRef });
    expect(JSON.stringify(data)).toContain('"file.quarantine_released"');
    expect((await owner.mutate("quarantine.release", release)).status).toBe(404);
  });

  test("lists an infected file in the trash, and refuses to release it there", async () => {
    const project = await aScanningProject();
    const { projectRef } = project;
    await project.change({ trashDays: 30 });
    const file = await project.store();
    await project.report({ file_path: file.file_path, verdict: "infected" });
    await call(`${service.url}/api/storage/delete/`, {
      key: project.apiKey,
      body: { file_path: file.file_path },
    });
    const list = async () =>
      (await owner.query<QuarantinePage>("quarantine.list", { projectRef })).data.files;
    expect(await list()).toMatchObject([
      { filename: "a.txt", status: "trashed", purgeAt: expect.any(String) as string },
    ]);
    const release = { projectRef, fileId: await idOf(file), etag: (await list())[0]!.etag };
    expect((await owner.mutate("quarantine.release", release)).status).toBe(404);
    const restored = await call(`${service.url}/api/storage/restore/`, {
      key: project.apiKey,
      body: { file_path: file.file_path },
    });
    expect(restored.status).toBe(200);
    expect(await list()).toMatchObject([{ status: "stored", purgeAt: null }]);
    expect(await project.download(file)).toMatchObject(quarantined);
  });

  test("takes a released file back as soon as other bytes have replaced it", async () => {
    const project = await aScanningProject();
    const { projectRef } = project;
    const upload = await anUpload(service.url, project.apiKey, { tenant_id: "t", filename: "a.txt" });
    await putBytes(upload, Buffer.from("hello"));
    await project.report({ file_path: upload.file_path, verdict: "infected" });
    const { files } = (await owner.query<QuarantinePage>("quarantine.list", { projectRef })).data;
    const release = { projectRef, fileId: files[0]!.id, etag: files[0]!.etag };
    expect((await owner.mutate("quarantine.release", release)).status).toBe(200);
    expect((await project.download(upload)).status).toBe(200);
    await putBytes(upload, Buffer.from("other bytes"));
    expect(await project.download(upload)).toMatchObject(notScanned);
  });

  test("does not release bytes that replaced those that the owner saw", async () => {
    const project = await aScanningProject();
    const { projectRef } = project;
    const upload = await anUpload(service.url, project.apiKey, { tenant_id: "t", filename: "a.txt" });
    const seen = async () =>
      (await owner.query<QuarantinePage>("quarantine.list", { projectRef })).data.files[0]!;
    await putBytes(upload, Buffer.from("a false alarm"));
    await project.report({ file_path: upload.file_path, verdict: "infected" });
    const { id: fileId, etag } = await seen();
    await putBytes(upload, Buffer.from("a virus"));
    await project.complete(upload);
    await project.report({ file_path: upload.file_path, verdict: "infected" });
    expect((await owner.mutate("quarantine.release", { projectRef, fileId, etag })).code).toBe(
      "scan_outdated",
    );
    expect(await project.download(upload)).toMatchObject(quarantined);
    expect((await seen()).id).toBe(fileId);
  });
});
