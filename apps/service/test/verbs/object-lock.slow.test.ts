import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createStowageClient } from "@stowage/server/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signParts } from "#files/parts/sign-parts.js";
import { moveFiles } from "#visibility/move-file.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { aDemandingStore } from "../fixtures/a-demanding-store.js";
import { anImageProject, anImageWorker } from "../fixtures/an-image-project.js";
import { anUploadByParts } from "../fixtures/an-upload-by-parts.js";
import { aService } from "../fixtures/a-service.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { stowage } from "../fixtures/command-line.js";
import { aPicture } from "../fixtures/hostile-images.js";

const md5Of = (bytes: string | Buffer) => createHash("md5").update(bytes).digest("base64");

let store: Awaited<ReturnType<typeof aDemandingStore>>;
let world: World;
beforeAll(async () => {
  store = await aDemandingStore({ contentMd5: true });
  world = await aWorld(null, "", null, store.settings);
});
afterAll(async () => {
  await world.close();
  await store.close();
});

test("an upload with content_md5 is stored, published and taken back", async () => {
  const project = await world.project();
  expect(await put(await world.upload(project, {}), "hello")).toBe(400);
  const upload = await world.upload(project, { content_md5: md5Of("hello") });
  expect(await put(upload, "hello")).toBe(200);
  await world.complete(project, upload.filePath);
  for (const visibility of ["public", "private"] as const) {
    const deps = { ...world.deps, settling: world.deps };
    await setVisibility(deps, project, { ...upload, tenantId: undefined, visibility });
    while (await moveFiles(world.deps, { afterProject: 0 })) continue;
    const { store: own } = world.deps;
    const bucket = visibility === "public" ? own.published! : own;
    expect(await bucket.head(upload.filePath)).toMatchObject({ sizeBytes: 5 });
  }
});

test("parts with content_md5 become a file", async () => {
  const project = await world.project();
  const upload = await anUploadByParts(world, project, { parts: 1 });
  const wanted = [{ number: 1, contentMd5: md5Of("abc") }];
  const { parts } = await signParts(world.deps, project, { ...upload, parts: wanted });
  expect(await put(parts[0]!, "abc")).toBe(200);
  expect(await world.complete(project, upload.filePath)).toMatchObject({ size: 3, status: "stored" });
});

test("variants are stored", async () => {
  const project = await anImageProject(world);
  const picture = await aPicture().png().toBuffer();
  const file = await project.store(picture, { content_md5: md5Of(picture) });
  await project.download(file);
  const worker = anImageWorker(world);
  expect(await worker.next()).toBe("made");
  worker.close();
});

test("the doctor says so, and finds nothing else wrong", async () => {
  const args = ["doctor", "--json", "--origin", "https://app.example.com"];
  const { stdout } = await stowage(args, { ...store.settings, DATABASE_URL: "" });
  const { findings } = JSON.parse(stdout) as { findings: { name: string; verdict: string }[] };
  const bad = findings.filter(({ verdict }) => ["warn", "fail", "skip"].includes(verdict));
  expect(bad.map(({ name, verdict }) => `${verdict} ${name}`)).toEqual(["warn Checksums"]);
});

test("client.upload stores bytes, an empty file, and a stream after the first one", async () => {
  const service = await aService({ ...store.settings, DATABASE_URL: world.databaseUrl });
  const { apiKey } = await world.project();
  const client = createStowageClient({ apiKey, baseUrl: service.url });
  const stream = () =>
    client.upload({ tenantId: "t", file: Readable.from(["hello"]), filename: "a.txt", size: 5 });
  await expect(stream()).rejects.toThrow(/demands a Content-MD5/);
  expect(await stream()).toMatchObject({ status: "stored", size: 5 });
  for (const again of [client, createStowageClient({ apiKey, baseUrl: service.url })])
    for (const file of [Buffer.from("hello"), Buffer.alloc(0)])
      expect(await again.upload({ tenantId: "t", file, filename: "b.txt" })).toMatchObject({
        status: "stored",
        size: file.length,
      });
  await service.close();
});

test("verify passes", async () => {
  const service = await aService({ ...store.settings, DATABASE_URL: world.databaseUrl });
  const { apiKey } = await world.project();
  const { code, stdout } = await stowage(["verify", service.url, "--profile", "smoke"], {
    STOWAGE_API_KEY: apiKey,
  });
  expect(stdout).toMatch(/profile smoke: \d+ passed, 0 failed/);
  expect(code).toBe(0);
  await service.close();
});
