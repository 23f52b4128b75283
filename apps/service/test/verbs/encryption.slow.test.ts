import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import { findFile } from "#files/record/find-file.js";
import { moveFiles } from "#visibility/move-file.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { aDemandingStore } from "../fixtures/a-demanding-store.js";
import { anImageProject, anImageWorker } from "../fixtures/an-image-project.js";
import { anUploadByParts, putParts } from "../fixtures/an-upload-by-parts.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { stowage } from "../fixtures/command-line.js";
import { aPicture } from "../fixtures/hostile-images.js";

const MD5 = createHash("md5").update("hello").digest("hex");
const KEY = "arn:aws:kms:eu-central-1:111122223333:key/a-key";

describe.each([
  ["AES256", "AES256", { "x-amz-server-side-encryption": "AES256" }],
  ["aws:kms", "aws:kms", { "x-amz-server-side-encryption": "aws:kms" }],
  [
    `aws:kms:${KEY}`,
    "aws:kms",
    { "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": KEY },
  ],
] as const)("with S3_ENCRYPTION=%s, in buckets that demand it", (S3_ENCRYPTION, encryption, headers) => {
  let store: Awaited<ReturnType<typeof aDemandingStore>>;
  let world: World;
  beforeAll(async () => {
    store = await aDemandingStore({ encryption });
    world = await aWorld(null, "", null, { ...store.settings, S3_ENCRYPTION });
  });
  afterAll(async () => {
    await world.close();
    await store.close();
  });
  const deps = () => ({ ...world.deps, settling: world.deps });

  /** The headers of encryption that storage answers with a stored object. */
  async function encryptionOf(url: string) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    return Object.fromEntries([...answer.headers].filter(([name]) => name.includes("encryption")));
  }

  test("the answer names the headers of the PUT, and its URL demands them", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    expect(upload.headers).toEqual({ "Content-Type": "text/plain", ...headers });
    const { "x-amz-server-side-encryption": _, ...others } = upload.headers;
    expect(await put({ ...upload, headers: others }, "hello")).toBe(403);
    expect(await put(upload, "hello")).toBe(200);
    expect(await world.complete(project, upload.filePath)).toMatchObject({ size: 5, status: "stored" });
    const { presignedUrl } = await createDownload(deps(), project, upload);
    expect(await encryptionOf(presignedUrl)).toEqual(headers);
    const { etag } = await findFile(world.deps, project, upload);
    if (encryption === "AES256") expect(etag).toBe(MD5);
    else expect(etag).not.toBe(MD5);
  });

  test("an upload by parts is encrypted, and its parts need no header", async () => {
    const project = await world.project();
    const upload = await anUploadByParts(world, project);
    expect(await putParts(world, project, upload, [1, 2])).toEqual([200, 200]);
    expect(await world.complete(project, upload.filePath)).toMatchObject({ size: upload.sizeBytes });
    expect(await encryptionOf((await createDownload(deps(), project, upload)).presignedUrl)).toEqual(headers);
  });

  test("a file is published and taken back, and its rows know the object that is there", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    await put(upload, "hello");
    await world.complete(project, upload.filePath);
    for (const visibility of ["public", "private"] as const) {
      await setVisibility(deps(), project, { ...upload, tenantId: undefined, visibility });
      while (await moveFiles(world.deps, { afterProject: 0 })) continue;
      const { published } = world.deps.store;
      const bucket = visibility === "public" ? published! : world.deps.store;
      expect(await bucket.head(upload.filePath)).toMatchObject({ sizeBytes: 5 });
      const url = await bucket.presignGet({
        path: upload.filePath,
        contentDisposition: "inline",
        contentType: "text/plain",
        signedAt: new Date(),
        expiresInSeconds: 60,
      });
      expect(await encryptionOf(url)).toEqual(headers);
      expect(await findFile(world.deps, project, upload)).toMatchObject({ size: 5, status: "stored" });
    }
    expect(await (await fetch((await createDownload(deps(), project, upload)).presignedUrl)).text()).toBe(
      "hello",
    );
  });

  test("a variant of an image is encrypted", async () => {
    const project = await anImageProject(world);
    const file = await project.store(await aPicture().png().toBuffer());
    expect(await project.download(file)).toBe("variant_pending");
    const worker = anImageWorker(world);
    expect(await worker.next()).toBe("made");
    worker.close();
    const variant = await project.download(file);
    expect(await encryptionOf((variant as { presignedUrl: string }).presignedUrl)).toEqual(headers);
  });

  test("the doctor finds nothing wrong but public files with a key of KMS, and names the way out", async () => {
    const settings = { ...store.settings, S3_ENCRYPTION, DATABASE_URL: "" };
    const { stdout } = await stowage(["doctor", "--json", "--origin", "https://app.example.com"], settings);
    const { findings } = JSON.parse(stdout) as {
      findings: { name: string; verdict: string; found: string; what_to_do: string | null }[];
    };
    const bad = findings.filter(({ verdict }) => ["warn", "fail", "skip"].includes(verdict));
    expect(bad.map(({ name }) => name)).toEqual(
      encryption === "AES256" ? [] : ["Public files", "CORS of public files"],
    );
    if (encryption === "aws:kms") expect(bad[0]?.what_to_do).toContain("CloudFront with origin access");
    expect(findings).toContainEqual(
      expect.objectContaining({
        name: "Encryption",
        verdict: "ok",
        found: `storage encrypts with ${encryption}`,
      }),
    );
  });
});
