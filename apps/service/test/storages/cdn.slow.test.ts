import { writeFile } from "node:fs/promises";
import type { DownloadResponse, File } from "@stowage/schemas";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aConnectProxy, type ConnectProxy } from "../fixtures/a-connect-proxy.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";
import { stowage } from "../fixtures/command-line.js";
import { twoStorages } from "../fixtures/two-storages.js";

/*
 * The CDN is in front of the buckets of the default storage. The service reaches its API through a proxy of the test, which sees each
 * attempt to purge and lets none through.
 */

const [PRIVATE, PUBLIC] = ["https://private.cdn.example", "https://public.cdn.example"];

let installation: Awaited<ReturnType<typeof twoStorages>>;
let proxy: ConnectProxy;
let service: ServiceProcess;
let settings: Record<string, string>;
beforeAll(async () => {
  installation = await twoStorages();
  proxy = await aConnectProxy();
  proxy.behaviour = 502;
  const { content, dir } = installation;
  const file = `${dir}/with-cdn.json`;
  await writeFile(file, JSON.stringify({ ...content, eu: { ...content.eu, public_base_url: PUBLIC } }));
  settings = { ...installation.settings, STORAGES_FILE: file };
  service = await aProcess({
    ...inject("servers"),
    ...settings,
    PORT: "0",
    HTTPS_PROXY: proxy.url,
    CDN: "bunny",
    CDN_BUNNY_API_KEY: "key",
    CDN_BUNNY_TOKEN_KEY: "token",
    PRIVATE_BASE_URL: PRIVATE,
  });
});
afterAll(async () => {
  await service.kill();
  await proxy.close();
  await installation.close();
});

/** Stores a file, publishes it, takes it back and deletes it. @returns the addresses that its readers got */
async function lifeOfAFile(storage: string): Promise<{ download: string; published: string }> {
  const args = ["project", "create", "Harbour", "--storage", storage, "--trash-days", "0", "--json"];
  const created = await stowage(args, settings);
  const { api_key: key } = JSON.parse(created.stdout) as { api_key: string };
  const { file_path } = await aStoredFile(service.url, key);
  const post = <Body>(path: string, body: object) =>
    call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
  const change = (visibility: string) => post<File>("visibility", { file_path, visibility });
  const download = await post<DownloadResponse>("download", { file_path });
  const published = await change("public");
  await change("private");
  await post("delete", { file_paths: [file_path] });
  return { download: download.body.presigned_url, published: published.body.public_url! };
}

test("a project of another storage gets no address of the CDN, and nothing of it is purged there", async () => {
  const { us } = installation;
  const addresses = await lifeOfAFile("us");
  expect(addresses.download.startsWith(`${us.endpoint}/${us.bucket}/`)).toBe(true);
  expect(addresses.published.startsWith(`${us.endpoint}/${us.publicBucket}/`)).toBe(true);
  expect([...(await us.objects()), ...(await us.objects(us.publicBucket))]).toEqual([]);
  expect(proxy.targets).toEqual([]);
});

test("a project of the default storage gets both", async () => {
  const { download, published } = await lifeOfAFile("eu");
  expect(download.startsWith(`${PRIVATE}/`)).toBe(true);
  expect(published.startsWith(`${PUBLIC}/`)).toBe(true);
  await expect
    .poll(() => new Set(proxy.targets), { timeout: 60_000 })
    .toEqual(new Set(["api.bunny.net:443"]));
});
