import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { File, ListPartsResponse, ListUploadsResponse } from "@stowage/schemas";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStorageProxy, type StorageProxy } from "../fixtures/a-storage-proxy.js";
import { call } from "../fixtures/call.js";
import { expectTheCodeOfAnError, expectWholeLifeOfAFile, read } from "./a-client.js";
import { readProgram } from "./read-program.js";

const PART_BYTES = 5 * 1024 ** 2;
const PART_COUNT = 5;

let folder: string;
let storage: StorageProxy;
let service: RunningService;
/** Storage does not answer further PUTs once it has answered so many. */
let answeredPuts = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-clients-"));
  let puts = 0;
  storage = await aStorageProxy(
    inject("servers").S3_ENDPOINT,
    (method) => method !== "PUT" || ++puts <= answeredPuts,
  );
  service = await aService({ S3_PUBLIC_ENDPOINT: storage.url });
});
afterEach(async () => {
  await service.close();
  storage.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a program in a process group of its own, so that its children end with it. */
function start(program: string, args: string[], apiKey: string): ChildProcess {
  return spawn(program, args, {
    detached: true,
    cwd: folder,
    env: { PATH: process.env["PATH"], STOWAGE_URL: service.url, STOWAGE_API_KEY: apiKey },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Returns the number of parts that storage has of the only open upload. */
async function countStoredParts(apiKey: string): Promise<number> {
  const { body } = await call<ListUploadsResponse>(`${service.url}/api/storage/uploads/?tenant_id=user_42`, {
    key: apiKey,
  });
  const [upload] = body.uploads;
  if (upload === undefined) return 0;
  const query = new URLSearchParams({ file_path: upload.file_path });
  const url = `${service.url}/api/storage/uploads/parts/?${query.toString()}`;
  return (await call<ListPartsResponse>(url, { key: apiKey })).body.parts.length;
}

const countPuts = () => storage.methods.filter((method) => method === "PUT").length;

test.each([
  ["python3", "upload.py"],
  ["sh", "upload.sh"],
])(
  "%s %s continues after it was killed, and sends only the parts that storage does not have",
  async (program, name) => {
    const { apiKey } = await aProject();
    await writeFile(join(folder, name), await readProgram("clients.md", name));
    const bytes = randomBytes((PART_COUNT - 1) * PART_BYTES + 3);
    await writeFile(join(folder, "film.mp4"), bytes);
    const args = [name, "film.mp4", "user_42"];

    answeredPuts = 2;
    const killed = start(program, args, apiKey);
    await expect.poll(() => countStoredParts(apiKey)).toBe(answeredPuts);
    process.kill(-killed.pid!, "SIGKILL");
    await once(killed, "exit");

    answeredPuts = Infinity;
    const putsBefore = countPuts();
    const again = start(program, args, apiKey);
    const [output, errors] = await Promise.all([read(again.stdout!), read(again.stderr!)]);
    expect(errors.replaceAll(/^part \d of 5\n/gm, "")).toBe("");
    expect(countPuts() - putsBefore).toBe(PART_COUNT - 2);
    const file = JSON.parse(output) as File;
    expect(file).toMatchObject({ tenant_id: "user_42", filename: "film.mp4", status: "stored" });

    const link = await call<{ presigned_url: string }>(`${service.url}/api/storage/download/`, {
      key: apiKey,
      body: { file_path: file.file_path },
    });
    const stored = Buffer.from(await (await fetch(link.body.presigned_url)).arrayBuffer());
    expect(sha256(stored)).toBe(sha256(bytes));
    expect(service.log()).not.toContain(apiKey);
  },
);

test.each([
  ["python3", "upload.py"],
  ["sh", "upload.sh"],
])("%s %s says why the service refuses an upload", async (program, name) => {
  const { apiKey } = await aProject({ maxFileBytes: 3 });
  await writeFile(join(folder, name), await readProgram("clients.md", name));
  await writeFile(join(folder, "film.mp4"), "1234");
  const refused = start(program, [name, "film.mp4", "user_42"], apiKey);
  const [output, errors] = await Promise.all([read(refused.stdout!), read(refused.stderr!)]);
  expect(errors).toContain("size must be at most 3 bytes");
  expect(errors).not.toContain(apiKey);
  expect(output).toBe("");
});

describe("python3 short.py", () => {
  const client = () => ({ command: "python3", args: ["short.py"], folder, service });
  beforeEach(async () => {
    answeredPuts = Infinity;
    await writeFile(join(folder, "short.py"), await readProgram("clients.md", "short.py"));
  });

  test("uploads, completes, downloads and deletes a file", async () => {
    const file = JSON.parse(await expectWholeLifeOfAFile(client())) as File;
    expect(file).toMatchObject({ tenant_id: "user_42", filename: "contract.txt", status: "stored" });
  });

  test("has the code of an error", () => expectTheCodeOfAnError(client()));
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
