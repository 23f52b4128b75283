import { StowageError } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import { createDownloads } from "#deliver/create-downloads.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { moveFiles } from "#visibility/move-file.js";
import { aWorld, type World } from "../fixtures/a-world.js";

let world: World;
beforeAll(async () => {
  world = await aWorld(null, inject("publicBucket")!);
});
afterAll(() => world.close());

type Project = Awaited<ReturnType<World["project"]>>;

const UTF8 = Buffer.from("Größe: 5 €, 日本\n");
const LATIN1 = Buffer.from("Größe: 5\n", "latin1");

async function send(upload: { presignedUrl: string; headers: Record<string, string> }, body: Buffer) {
  const answer = await fetch(upload.presignedUrl, { method: "PUT", headers: upload.headers, body });
  expect(answer.status).toBe(200);
}

async function aFile(project: Project, bytes: Buffer, body: object = {}) {
  const upload = await world.upload(project, body);
  await send(upload, bytes);
  await world.complete(project, upload.filePath);
  return upload;
}

/** The world, with the reads of its storage. */
function watched() {
  const reads: string[] = [];
  const read: World["deps"]["store"]["read"] = (path, signal) => {
    reads.push(path);
    return world.deps.store.read(path, signal);
  };
  return { reads, deps: { ...world.deps, store: { ...world.deps.store, read } } };
}

/** What a browser gets. */
async function shown(
  project: Project,
  filePath: string,
  { disposition = "inline" as "inline" | "attachment", deps = world.deps } = {},
): Promise<string> {
  const { presignedUrl } = await createDownload({ ...deps, settling: deps }, project, {
    filePath,
    disposition,
  });
  const { headers } = await fetch(presignedUrl);
  return `${headers.get("Content-Type")} ${headers.get("Content-Disposition")!.split(";")[0]}`;
}

describe("a text that is shown in the browser", () => {
  test.each<[string, Buffer, string]>([
    ["a.txt", UTF8, "text/plain; charset=utf-8 inline"],
    ["a.log", UTF8, "text/plain; charset=utf-8 inline"],
    ["a.md", UTF8, "text/plain; charset=utf-8 inline"],
    ["a.csv", UTF8, "text/plain; charset=utf-8 inline"],
    ["a.tsv", UTF8, "text/plain; charset=utf-8 inline"],
    ["latin1.txt", LATIN1, "text/plain inline"],
    ["latin1.csv", LATIN1, "text/plain inline"],
    ["ascii.txt", Buffer.from("hello"), "text/plain inline"],
    ["utf16.txt", Buffer.from("\ufeffGröße", "utf16le"), "text/plain inline"],
    ["empty.txt", Buffer.alloc(0), "text/plain inline"],
    ["a.json", UTF8, "application/json attachment"],
    ["a.html", UTF8, "application/octet-stream attachment"],
    ["a.pdf", UTF8, "application/pdf inline"],
  ])("%s", async (filename, bytes, expected) => {
    const project = await world.project();
    const { filePath } = await aFile(project, bytes, { filename });
    expect(await shown(project, filePath)).toBe(expected);
    expect(await shown(project, filePath)).toBe(expected);
  });

  test("keeps the charset that its type names, without a look", async () => {
    const project = await world.project();
    const { reads, deps } = watched();
    for (const [content_type, expected] of [
      ["text/plain; charset=iso-8859-1", "text/plain; charset=iso-8859-1 inline"],
      ["text/csv; charset=shift_jis", "text/plain; charset=shift_jis inline"],
    ]) {
      const { filePath } = await aFile(project, UTF8, { content_type });
      expect(await shown(project, filePath, { deps })).toBe(expected);
    }
    expect(reads).toEqual([]);
  });

  test("is read once, and not at all to be saved", async () => {
    const project = await world.project();
    const { reads, deps } = watched();
    const { filePath } = await aFile(project, UTF8, { filename: "a.csv" });
    expect(await shown(project, filePath, { deps, disposition: "attachment" })).toBe("text/csv attachment");
    expect(reads).toEqual([]);
    for (let times = 0; times < 3; times++)
      expect(await shown(project, filePath, { deps })).toBe("text/plain; charset=utf-8 inline");
    expect(reads).toEqual([filePath]);
  });

  test("is read again after other bytes have replaced it", async () => {
    const project = await world.project();
    const upload = await aFile(project, UTF8);
    expect(await shown(project, upload.filePath)).toBe("text/plain; charset=utf-8 inline");
    await send(upload, LATIN1);
    await settleUpload(world.deps, project.id, upload.filePath);
    expect(await shown(project, upload.filePath)).toBe("text/plain inline");
    await send(upload, UTF8);
    // Not recorded yet, so nothing is remembered of it.
    expect(await shown(project, upload.filePath)).toBe("text/plain inline");
  });

  test("gets its URL also while storage does not answer or sends nothing, and its charset later", async () => {
    const project = await world.project();
    const { filePath } = await aFile(project, UTF8);
    const isDown = { ...world.deps.store, read: () => Promise.reject(new StowageError("unavailable")) };
    expect(await shown(project, filePath, { deps: { ...world.deps, store: isDown } })).toBe(
      "text/plain inline",
    );
    expect(await shown(project, filePath)).toBe("text/plain; charset=utf-8 inline");
  });

  test("in a list of files too", async () => {
    const project = await world.project();
    const files = await Promise.all([aFile(project, UTF8), aFile(project, LATIN1)]);
    const filePaths = files.map(({ filePath }) => filePath);
    const deps = { ...world.deps, settling: world.deps };
    const { downloads } = await createDownloads(deps, project, { filePaths, disposition: "inline" });
    const types = await Promise.all(
      downloads.map(async ({ presignedUrl }) => (await fetch(presignedUrl)).headers.get("Content-Type")),
    );
    expect(types).toEqual(["text/plain; charset=utf-8", "text/plain"]);
  });

  test("has its charset in the public bucket, where other texts stay attachments", async () => {
    const project = await world.project();
    const headersOf = async (bytes: Buffer, filename: string) => {
      const { filePath } = await aFile(project, bytes, { filename, visibility: "public" });
      while (await moveFiles(world.deps, { afterProject: 0 })) continue;
      const { headers, ok } = await fetch(world.deps.store.published!.urlOf(filePath));
      expect(ok).toBe(true);
      return `${headers.get("Content-Type")} ${headers.get("Content-Disposition")!.split(";")[0]}`;
    };
    expect(await headersOf(UTF8, "a.txt")).toBe("text/plain; charset=utf-8 inline");
    expect(await headersOf(LATIN1, "a.txt")).toBe("text/plain inline");
    expect(await headersOf(UTF8, "a.csv")).toBe("text/csv attachment");
  });
});

describe("a file whose name ends with .ts", () => {
  const film = Buffer.alloc(10 * 188);
  for (let at = 0; at < film.length; at += 188) film[at] = 0x47;
  const code = Buffer.from("GGG: export const a = 1;\n".repeat(50));
  const nearly = Buffer.from(film);
  nearly[376] = 0x48;

  test.each<[string, Buffer, string, object]>([
    ["a film", film, "video/mp2t", { filename: "a.ts" }],
    [
      "a film with the type of a browser",
      film,
      "video/mp2t",
      { filename: "a.TS", content_type: "video/mp2t" },
    ],
    ["TypeScript", code, "application/typescript", { filename: "a.ts" }],
    [
      "TypeScript with the type of a film",
      code,
      "application/typescript",
      { filename: "a.ts", content_type: "video/mp2t" },
    ],
    ["two packets of a film", film.subarray(0, 376), "application/typescript", { filename: "a.ts" }],
    ["three packets of a film", film.subarray(0, 377), "video/mp2t", { filename: "a.ts" }],
    ["two sync bytes", nearly, "application/typescript", { filename: "a.ts" }],
    ["nothing", Buffer.alloc(0), "application/typescript", { filename: "a.ts" }],
    ["a type that the backend chose", film, "text/plain", { filename: "a.ts", content_type: "text/plain" }],
    ["a Blu-ray film by its name", code, "video/mp2t", { filename: "a.m2ts" }],
  ])("%s", async (_, bytes, expected, body) => {
    const project = await world.project();
    const { filePath } = await aFile(project, bytes, body);
    const rows = await world.rows(`select content_type, status from files where path = $1`, [filePath]);
    expect(rows).toEqual([{ content_type: expected, status: "stored" }]);
  });

  test("waits for its type while storage does not send its bytes, and no other file is read", async () => {
    const project = await world.project();
    const upload = await world.upload(project, { filename: "a.ts" });
    await send(upload, film);
    const read = () => Promise.reject(new StowageError("unavailable"));
    const deps = { ...world.deps, store: { ...world.deps.store, read } };
    await expect(settleUpload(deps, project.id, upload.filePath)).rejects.toThrow(StowageError);
    expect(await world.file(upload.filePath)).toMatchObject({ status: "pending" });
    const other = await world.upload(project, { filename: "a.mts" });
    await send(other, film);
    expect(await settleUpload(deps, project.id, other.filePath)).toBe("stored");
    expect(await settleUpload(world.deps, project.id, upload.filePath)).toBe("stored");
  });
});
