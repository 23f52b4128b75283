import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createS3Client } from "./s3.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

const NO_PARTS = `<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>`;

/** Storage that never answers a completion. */
async function aSlowStore() {
  let completions = 0;
  const server = createServer((request, response) => {
    if (request.method === "POST") completions++;
    else response.end(NO_PARTS);
  });
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
