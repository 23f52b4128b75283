import { downloadsResponse, type DownloadsResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

async function aGallery() {
  const { projectRef, apiKey: key } = await anOwnedProject(owner);
  const post = <Body = { detail: string }>(path: string, body: object) =>
    call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
  return {
    key,
    post,
    change: (settings: object) => owner.mutate("settings.update", { projectRef, ...settings }),
    store: async (body: Record<string, unknown> = {}) =>
      (await aStoredFile(service.url, key, body)).file_path,
    pending: (body: object = {}) =>
      anUpload(service.url, key, { tenant_id: "t", filename: "a.txt", ...body }),
    async downloads(file_paths: string[], options: object = {}) {
      const { status, body } = await post<DownloadsResponse>("downloads", { file_paths, ...options });
      expect(status).toBe(200);
      return downloadsResponse.strict().parse(body);
    },
  };
}

const pathsOf = ({ downloads }: DownloadsResponse) => downloads.map(({ file_path }) => file_path);
const textOf = async (url: string) => (await fetch(url)).text();

describe("the download URLs of many files", () => {
  test("are answered in the order of the request, each file once, with the options for all", async () => {
    const gallery = await aGallery();
    const [a, b, c] = [
      await gallery.store({ bytes: "a", filename: "a.png", content_type: "image/png" }),
      await gallery.store({ bytes: "b", filename: "b.svg", content_type: "image/svg+xml" }),
      await gallery.store({ bytes: "c" }),
    ];
    const answer = await gallery.downloads([c, a, "projects/none", b, a, "x", c], {
      disposition: "inline",
      expires_in: 300,
    });
    expect(pathsOf(answer)).toEqual([c, a, b]);
    expect(answer).toMatchObject({ not_found: ["projects/none", "x"] });
    expect(answer).not.toHaveProperty("refused");
    expect(await Promise.all(answer.downloads.map(({ presigned_url: url }) => textOf(url)))).toEqual([
      "c",
      "a",
      "b",
    ]);
    const [, image, drawing] = answer.downloads.map(
      ({ presigned_url }) => new URL(presigned_url).searchParams,
    );
    expect(image!.get("X-Amz-Expires")).toBe("300");
    expect(image!.get("response-content-disposition")).toBe('inline;filename="a.png"');
    expect(drawing!.get("response-content-disposition")).toBe('attachment;filename="b.svg"');
  });

  test("are the URLs that a request for each file answers, with reuse", async () => {
    const gallery = await aGallery();
    const file_path = await gallery.store();
    // A window of three and a half days: none ends during the test.
    const options = { reuse: true, expires_in: 604_800 };
    const { body } = await gallery.post("download", { file_path, ...options });
    expect((await gallery.downloads([file_path], options)).downloads).toEqual([body]);
  });

  test("include a file whose PUT has just ended, and no file without bytes, of others or deleted", async () => {
    const [gallery, other] = [await aGallery(), await aGallery()];
    await gallery.change({ trashDays: 30 });
    const [arrived, empty, trashed, foreign, ofOther] = [
      await gallery.pending(),
      await gallery.pending(),
      await gallery.store(),
      await gallery.store({ tenant_id: "u" }),
      await other.store(),
    ];
    expect(await putBytes(arrived, Buffer.from("new"))).toBe(200);
    await gallery.post("delete", { file_path: trashed });
    const missing = [empty.file_path, trashed, foreign, ofOther];
    const answer = await gallery.downloads([...missing, arrived.file_path], { tenant_id: "t" });
    expect(answer).toMatchObject({ downloads: [{ size: 3 }], not_found: missing });
    expect(await textOf(answer.downloads[0]!.presigned_url)).toBe("new");
    expect(pathsOf(await gallery.downloads([foreign]))).toEqual([foreign]);
  });

  test("leave out a file that is not scanned or in quarantine, and say why", async () => {
    const gallery = await aGallery();
    await gallery.change({ scan: "external" });
    const [clean, waiting, infected] = [await gallery.store(), await gallery.store(), await gallery.store()];
    await gallery.post("scan-result", { file_path: clean, verdict: "clean" });
    await gallery.post("scan-result", { file_path: infected, verdict: "infected" });
    const answer = await gallery.downloads([infected, "gone", clean, waiting]);
    expect(pathsOf(answer)).toEqual([clean]);
    expect(answer.not_found).toEqual(["gone"]);
    expect(answer.refused).toEqual([
      { file_path: infected, code: "file_quarantined", detail: "File is quarantined" },
      { file_path: waiting, code: "file_not_scanned", detail: "File has not been scanned yet" },
    ]);
  });

  test("are refused as a whole when storage does not answer about one of them", async () => {
    const gallery = await aGallery();
    const [stored, pending] = [await gallery.store(), await gallery.pending()];
    const withoutStorage = await aService({ S3_ENDPOINT: "http://127.0.0.1:1" });
    const ask = (file_paths: string[]) =>
      call(`${withoutStorage.url}/api/storage/downloads`, { key: gallery.key, body: { file_paths } });
    expect((await ask([stored])).status).toBe(200);
    expect((await ask([stored, pending.file_path])).status).toBe(503);
    await withoutStorage.close();
  });

  test("are for 1 to 100 files", async () => {
    const gallery = await aGallery();
    const paths = (count: number) =>
      Array.from({ length: count }, (_, index) => `${index}`.padEnd(1024, "é"));
    expect((await gallery.downloads(paths(100))).not_found).toEqual(paths(100));
    expect(await gallery.post("downloads", { file_paths: paths(101) })).toMatchObject({
      status: 400,
      body: { detail: "file_paths must have at most 100 paths" },
    });
    for (const [body, detail] of [
      [{}, "file_paths is required"],
      [{ file_paths: [] }, "file_paths must have at least 1 path"],
      [{ file_paths: "a" }, "file_paths must be a list of strings"],
      [{ file_paths: ["a"], reuse: "yes" }, "reuse must be true or false"],
    ] as const) {
      expect(await gallery.post("downloads", body)).toMatchObject({ status: 400, body: { detail } });
    }
  });
});
