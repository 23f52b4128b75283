import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createS3Client } from "./s3.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

const NO_PARTS = `<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>`;

/** A client of storage that answers so. */
async function aStore(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const store = createS3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "us-east-1",
    bucket: "files",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    timeoutMs: 60_000,
  });
  const close = () => {
    store.close();
    server.closeAllConnections();
    server.close();
  };
  cleanups.push(close);
  return { store, close };
}

/** Storage that never answers a completion. */
async function aSlowStore() {
  let completions = 0;
  const { store, close } = await aStore((request, response) => {
    if (request.method === "POST") completions++;
    else response.end(NO_PARTS);
  });
  return { store, close, completions: () => completions };
}

test("many slow completions delay no other call", async () => {
  const { store, close, completions } = await aSlowStore();
  const upload = { path: "a", uploadId: "1" };
  const completing = Array.from({ length: 60 }, () => store.completeMultipart(upload, []));
  const ended = Promise.allSettled(completing);
  await expect.poll(completions).toBe(50);
  expect(await store.listParts(upload, 0)).toEqual({ parts: [], nextCursor: null });
  close();
  await ended;
});

test.each(["NoSuchUpload", "NoSuchKey"])("an upload that is gone is aborted: %s", async (code) => {
  const { store } = await aStore((_request, response) => {
    response.writeHead(404).end(`<Error><Code>${code}</Code></Error>`);
  });
  await store.abortMultipart({ path: "a", uploadId: "1" });
  expect(await store.listParts({ path: "a", uploadId: "1" }, 0)).toBeNull();
});

const objects = (more: string) =>
  `<ListBucketResult><IsTruncated>true</IsTruncated>${more}</ListBucketResult>`;
const uploads = (more: string) =>
  `<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>${more}</ListMultipartUploadsResult>`;
const parts = (more: string) => `<ListPartsResult><IsTruncated>true</IsTruncated>${more}</ListPartsResult>`;
const nextUpload = "<NextKeyMarker>a</NextKeyMarker><NextUploadIdMarker>1</NextUploadIdMarker>";
type Client = Awaited<ReturnType<typeof aStore>>["store"];

test.each<[string, string, (store: Client) => Promise<unknown>]>([
  ["objects, without a place", objects(""), (store) => store.list("", null)],
  [
    "objects, the same place again",
    objects("<NextContinuationToken>b</NextContinuationToken>"),
    (store) => store.list("", "b"),
  ],
  ["uploads, without a place", uploads(""), (store) => store.listMultiparts("", null)],
  [
    "uploads, the same place again",
    uploads(nextUpload),
    (store) => store.listMultiparts("", { path: "a", uploadId: "1" }),
  ],
  ["parts, without a place", parts(""), (store) => store.listParts({ path: "a", uploadId: "1" }, 0)],
  [
    "parts, an earlier place",
    parts("<NextPartNumberMarker>1000</NextPartNumberMarker>"),
    (store) => store.listParts({ path: "a", uploadId: "1" }, 2000),
  ],
])("a list that is cut and does not say where it goes on is no answer: %s", async (_what, xml, list) => {
  const { store } = await aStore((_request, response) => void response.end(xml));
  await expect(list(store)).rejects.toMatchObject({
    code: "unavailable",
    message: "A list is cut and does not say where it goes on",
  });
});
