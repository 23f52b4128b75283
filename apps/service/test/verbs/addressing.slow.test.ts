import dns from "node:dns";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { composeBuckets, logAddressing } from "#compose-storage.js";
import { readStorageConfig } from "#config.js";
import { createDownload } from "#deliver/create-download.js";
import { checkAddressing } from "#doctor/check-addressing.js";
import { moveFiles } from "#visibility/move-file.js";
import { setVisibility } from "#visibility/set-visibility.js";
import { aDemandingStore } from "../fixtures/a-demanding-store.js";
import { aService } from "../fixtures/a-service.js";
import { anUploadByParts, putParts } from "../fixtures/an-upload-by-parts.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";

/** Not every machine finds names below `localhost`, as RFC 6761 wants. `isFound` of false is a network without a wildcard. */
const { lookup } = dns;
let isFound = true;
beforeEach(() => {
  isFound = true;
  const find = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(
      isFound ? name.replace(/^.+\.localhost$/, "localhost") : name.replace(/\.localhost$/, ".invalid"),
      ...rest,
    );
  vi.spyOn(dns, "lookup").mockImplementation(find as typeof dns.lookup);
});
afterEach(() => vi.restoreAllMocks());

type Store = Awaited<ReturnType<typeof aDemandingStore>>;
const named = ({ settings }: Store) => settings.S3_ENDPOINT.replace("127.0.0.1", "localhost");

describe("storage that takes the bucket in the host only", () => {
  let store: Store;
  let world: World;
  let host: string;
  let settings: Record<string, string>;
  beforeAll(async () => {
    store = await aDemandingStore({}, { addressing: "virtual", host: "localhost" });
    settings = { ...store.settings, S3_ENDPOINT: named(store) };
    host = new URL(settings["S3_ENDPOINT"]!).host;
    world = await aWorld(null, "", null, settings);
  });
  afterAll(async () => {
    await world.close();
    await store.close();
  });
  const deps = () => ({ ...world.deps, settling: world.deps });

  test("is found by auto, and takes files, parts, downloads, and public files", async () => {
    const project = await world.project();
    const upload = await world.upload(project, {});
    expect(upload.presignedUrl).toMatch(`http://files.${host}/projects/`);
    expect(await put(upload, "hello")).toBe(200);
    expect(await world.complete(project, upload.filePath)).toMatchObject({ size: 5 });
    const { presignedUrl } = await createDownload(deps(), project, upload);
    expect(await (await fetch(presignedUrl)).text()).toBe("hello");

    const large = await anUploadByParts(world, project);
    expect(await putParts(world, project, large, [1, 2])).toEqual([200, 200]);
    expect(await world.complete(project, large.filePath)).toMatchObject({ size: large.sizeBytes });

    await setVisibility(deps(), project, { ...upload, tenantId: undefined, visibility: "public" });
    while (await moveFiles(world.deps, { afterProject: 0 })) continue;
    const url = world.deps.store.published!.urlOf(upload.filePath);
    expect(url).toBe(`http://public-files.${host}/${upload.filePath}`);
    expect(await (await fetch(url)).text()).toBe("hello");
    expect(await world.deps.store.head(upload.filePath)).toBeNull();
  });

  test("is named in one line of the log at start, and in the policy of the dashboard's pages", async () => {
    const DASHBOARD_DIR = await mkdtemp(join(tmpdir(), "stowage-pages-"));
    await writeFile(join(DASHBOARD_DIR, "index.html"), "<!doctype html>");
    const service = await aService({ ...settings, DASHBOARD_DIR });
    expect(service.log().match(/The bucket is in [^"]*/g)).toEqual([
      "The bucket is in the host of S3_ENDPOINT, because storage answers HTTP 403 SecondLevelDomainForbidden to a bucket in the path",
    ]);
    const page = await fetch(service.url, { headers: { Accept: "text/html" } });
    const policy = page.headers.get("content-security-policy") ?? "";
    const origins = `http://files.${host} http://public-files.${host}`;
    for (const directive of [`connect-src 'self' ${origins}`, `img-src 'self' blob: data: ${origins}`])
      expect(policy).toContain(directive);
    await service.close();
    await rm(DASHBOARD_DIR, { recursive: true });
  });

  const examine = async (S3_ADDRESSING: string) => {
    const { addresses } = composeBuckets(readStorageConfig({ ...settings, S3_ADDRESSING }));
    return checkAddressing(addresses.own);
  };

  test("is good for the doctor with auto, and with path the doctor names the setting", async () => {
    expect(await examine("auto")).toMatchObject({
      verdict: "ok",
      found: expect.stringContaining("in the host"),
    });
    expect(await examine("path")).toMatchObject({
      verdict: "fail",
      found: expect.stringContaining("HTTP 403 SecondLevelDomainForbidden"),
      whatToDo: "Set S3_ADDRESSING=virtual.",
    });
  });

  test("needs a name for each bucket, and the doctor says which", async () => {
    isFound = false;
    for (const wanted of ["auto", "path"])
      expect(await examine(wanted)).toMatchObject({
        verdict: "fail",
        whatToDo: expect.stringContaining(`Let the name files.${host} lead to storage`),
      });
    expect(await examine("virtual")).toMatchObject({
      verdict: "fail",
      found: expect.stringContaining("nothing (ENOTFOUND)"),
    });
  });
});

test("storage that takes both, or has no name for buckets, gets the bucket in the path", async () => {
  const store = await aDemandingStore({}, { host: "localhost" });
  const settings = readStorageConfig({ ...store.settings, S3_ENDPOINT: named(store) });
  for (const wildcard of [true, false]) {
    isFound = wildcard;
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
    const { addresses } = composeBuckets(settings, { onAddressing: logAddressing(log as never) });
    expect(await addresses.browsers.now()).toBe("path");
    expect(lines).toEqual(["The bucket is in the path of S3_ENDPOINT, because storage finds it there"]);
    expect(await checkAddressing(addresses.own)).toMatchObject({ verdict: "ok" });
  }
  await store.close();
});

test("a start while storage is down takes the path, and says that it asks again", async () => {
  const store = await aDemandingStore({}, { host: "localhost" });
  const settings = { ...store.settings, S3_ENDPOINT: named(store) };
  await store.close();
  const service = await aService(settings);
  expect(service.log()).toMatch(
    /"level":40.*The bucket is in the path of S3_ENDPOINT, because storage answers nothing \(ECONNREFUSED\).*asked again every minute/,
  );
  await service.close();
});
