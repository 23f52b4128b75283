import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readConfig } from "#config.js";
import type { MultipartCursor, MultipartPage } from "#object-store/object-store.js";
import type { ProjectWithKey } from "#projects/create-project.js";
import { findProjectByRef } from "#projects/find-project.js";
import { aReconciler } from "../../test/fixtures/a-reconciler.js";
import { aProject } from "../../test/fixtures/a-project.js";
import { aService, type RunningService } from "../../test/fixtures/a-service.js";
import { anOpenUpload, anUpload, call, putBytes } from "../../test/fixtures/call.js";
import { queryDatabase } from "../../test/fixtures/direct-access.js";
import { operatorClient } from "../../test/fixtures/operator-client.js";
import { PART_BYTES, signedParts } from "../../test/fixtures/send-parts.js";
import { compareUploads, type CompareUploadsDeps } from "./compare-uploads.js";
import type { UploadDrift } from "./drift.js";
import { type ReconcileFinding, reconcile } from "./reconcile.js";

let service: RunningService;
let reconciler: ReturnType<typeof aReconciler>;
beforeAll(async () => {
  service = await aService();
  reconciler = aReconciler(readConfig({ ...inject("servers") }));
});
afterAll(async () => {
  await reconciler.close();
  await service.close();
});

const SIZE = 2 * PART_BYTES + 1000;
const HOUR = 3_600_000;

async function run(
  project: Pick<ProjectWithKey, "ref">,
  { repair = false, inMs = 0 } = {},
): Promise<ReconcileFinding[]> {
  const deps = { ...reconciler.deps, clock: () => new Date(Date.now() + inMs) };
  const findings: ReconcileFinding[] = [];
  for await (const finding of reconcile(deps, { projectRef: project.ref, repair, deleteOrphans: false }))
    findings.push(finding);
  return findings;
}

/** A pending file whose parts of 5 MiB storage waits for: a first part was signed. */
async function anUploadWithId(project: ProjectWithKey): Promise<{ path: string; uploadId: string }> {
  const { file_path: path } = await anOpenUpload(service.url, project.apiKey, {
    tenant_id: "t",
    filename: "film.mp4",
    size: SIZE,
    part_size: PART_BYTES,
  });
  await signedParts(service.url, project.apiKey, path, [1]);
  const [row] = await queryDatabase<{ upload_id: string }>(
    "select multipart ->> 'uploadId' as upload_id from files where path = $1",
    [path],
  );
  return { path, uploadId: row!.upload_id };
}

async function putPart(upload: { path: string; uploadId: string }, number: number, sizeBytes: number) {
  const presigned_url = await reconciler.deps.store.presignPart({
    ...upload,
    number,
    sizeBytes,
    contentMd5: undefined,
    signedAt: new Date(),
    expiresInSeconds: 60,
  });
  return putBytes({ presigned_url, headers: {} }, new Uint8Array(sizeBytes));
}

/** A stored file, so that the bucket is not empty. */
async function aStoredFile(project: ProjectWithKey): Promise<void> {
  const upload = await anUpload(service.url, project.apiKey, { tenant_id: "other", filename: "a.txt" });
  await putBytes(upload, new Uint8Array(1));
  const body = { file_path: upload.file_path };
  await call(`${service.url}/api/storage/complete/`, { key: project.apiKey, body });
}

const in2Hours = () => new Date(Date.now() + 2 * HOUR);

async function collectUploads(
  deps: Pick<CompareUploadsDeps, "store" | "clock">,
  projects: ProjectWithKey[],
  prefix: string,
): Promise<UploadDrift[]> {
  const { db } = reconciler.deps;
  const scope = await Promise.all(projects.map(({ ref }) => findProjectByRef({ db }, ref)));
  const drifts: UploadDrift[] = [];
  for await (const drift of compareUploads({ db, ...deps }, scope, prefix)) drifts.push(drift);
  return drifts;
}

/** Asks storage for pages of two uploads. A page of the service has a thousand. */
async function listTwo(prefix: string, cursor: MultipartCursor | null): Promise<MultipartPage> {
  const client = operatorClient();
  try {
    const page = await client.send(
      new ListMultipartUploadsCommand({
        Bucket: inject("servers").S3_BUCKET,
        Prefix: prefix,
        KeyMarker: cursor?.path,
        UploadIdMarker: cursor?.uploadId,
        MaxUploads: 2,
      }),
    );
    const next = { path: page.NextKeyMarker!, uploadId: page.NextUploadIdMarker! };
    return {
      uploads: (page.Uploads ?? []).map((upload) => ({
        path: upload.Key!,
        uploadId: upload.UploadId!,
        startedAt: upload.Initiated!,
      })),
      nextCursor: page.IsTruncated ? next : null,
    };
  } finally {
    client.destroy();
  }
}

async function rowAt(path: string) {
  const [row] = await queryDatabase<object>(
    `select multipart ->> 'uploadId' as "uploadId", multipart ->> 'partsStored' as "partsStored", status, reserved_bytes::int as reserved
     from files where path = $1`,
    [path],
  );
  return row;
}

describe("reconcile and multipart uploads", () => {
  test("finds no drift while an upload by parts is running, and counts the bytes that it reserves", async () => {
    const project = await aProject();
    const upload = await anUploadWithId(project);
    expect(await putPart(upload, 1, PART_BYTES)).toBe(200);
    expect(await run(project, { inMs: 2 * HOUR })).toEqual([]);
    await queryDatabase(
      "update tenants set reserved_bytes = 7 from projects p where p.id = project_id and p.ref = $1",
      [project.ref],
    );
    expect(await run(project, { repair: true })).toMatchObject([
      { drift: { kind: "counters", recorded: { reservedBytes: 7 }, actual: { reservedBytes: SIZE } } },
    ]);
    expect(await run(project)).toEqual([]);
  });

  test("finds an upload that no file knows after an hour, and aborts it and no other one", async () => {
    const project = await aProject();
    const open = await anUploadWithId(project);
    const { store } = reconciler.deps;
    const sibling = {
      path: open.path,
      uploadId: await store.createMultipart(open.path, { contentType: "video/mp4" }),
    };
    expect(await putPart(sibling, 2, 100)).toBe(200);
    const path = `projects/${project.ref}/tenants/nobody/見積書🙂.pdf`;
    const stray = { path, uploadId: await store.createMultipart(path, { contentType: "application/pdf" }) };
    expect(await run(project, { inMs: HOUR / 2 })).toEqual([]);

    const drift = { kind: "unknown_upload", projectRef: project.ref, isProjectKnown: true };
    const found = await run(project, { inMs: 2 * HOUR });
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining(
        [sibling, stray].map((upload) => ({
          drift: { ...drift, ...upload, startedAt: expect.any(Date) },
          repaired: null,
        })),
      ),
    );
    expect(await run(project, { inMs: 2 * HOUR, repair: true })).toMatchObject([
      { repaired: { outcome: "mended", how: "aborted" } },
      { repaired: { outcome: "mended", how: "aborted" } },
    ]);
    expect(await store.listParts(sibling, 0)).toBeNull();
    expect(await store.listParts(stray, 0)).toBeNull();
    expect(await store.listParts(open, 0)).not.toBeNull();
    expect(await run(project, { inMs: 2 * HOUR })).toEqual([]);
  });

  test("reads every page of the uploads", async () => {
    const project = await aProject();
    const paths = [1, 2, 3, 4, 5].map((n) => `projects/${project.ref}/tenants/nobody/${n % 3}`);
    const uploadIds = new Set<string>();
    for (const path of paths)
      uploadIds.add(await reconciler.deps.store.createMultipart(path, { contentType: "text/plain" }));
    const store = { ...reconciler.deps.store, listMultiparts: listTwo };
    const found = await collectUploads({ store, clock: in2Hours }, [project], `projects/${project.ref}/`);
    expect(new Set(found.map((drift) => drift.uploadId))).toEqual(uploadIds);
    expect(found).toHaveLength(paths.length);
  });

  test("leaves the uploads of a deleted file to the sweeper", async () => {
    const project = await aProject();
    const { path } = await anUploadWithId(project);
    await queryDatabase(
      `with gone as (delete from files where path = $1 returning project_id, path)
       insert into tombstones (project_id, path, had_parts, until, next_check_at)
       select project_id, path, true, now() + interval '1 day', now() + interval '1 day' from gone`,
      [path],
    );
    const deps = { store: reconciler.deps.store, clock: in2Hours };
    expect(await collectUploads(deps, [project], `projects/${project.ref}/`)).toEqual([]);
  });

  test("leaves the upload that made a stored object, also if storage still lists it", async () => {
    const project = await aProject();
    const upload = await anUploadWithId(project);
    await queryDatabase(
      "update files set status = 'stored', stored_at = now(), size = 1, etag = 'e', reserved_bytes = 0 where path = $1",
      [upload.path],
    );
    const deps = { store: reconciler.deps.store, clock: in2Hours };
    expect(await collectUploads(deps, [project], `projects/${project.ref}/`)).toEqual([]);
  });

  test("says of an upload whether its project is in the database", async () => {
    const prefix = "projects/0000000000000000000000/";
    const { store } = reconciler.deps;
    const upload = {
      path: `${prefix}x`,
      uploadId: await store.createMultipart(`${prefix}x`, { contentType: "text/plain" }),
    };
    expect(await collectUploads({ store, clock: in2Hours }, [], prefix)).toMatchObject([
      { ...upload, isProjectKnown: false },
    ]);
    await store.abortMultipart(upload);
  });

  test("finds a file whose upload storage lost, and lets the upload continue with a new one", async () => {
    const project = await aProject();
    await aStoredFile(project);
    const upload = await anUploadWithId(project);
    await reconciler.deps.store.abortMultipart(upload);
    const drift = { kind: "lost_upload", projectRef: project.ref, ...upload };
    expect(await run(project)).toEqual([{ drift, repaired: null }]);
    expect(await run(project, { repair: true })).toMatchObject([{ drift, repaired: { outcome: "mended" } }]);
    expect(await rowAt(upload.path)).toEqual({
      uploadId: null,
      partsStored: null,
      status: "pending",
      reserved: SIZE,
    });
    expect(await run(project)).toEqual([]);
  });

  test("does not report an upload that was completed and is not recorded yet", async () => {
    const project = await aProject();
    const upload = await anUploadWithId(project);
    await putPart(upload, 1, SIZE);
    const { store } = reconciler.deps;
    const { parts } = (await store.listParts(upload, 0))!;
    expect(await store.completeMultipart(upload, parts)).toBe("completed");
    expect(await run(project)).toEqual([]);
  });
});
