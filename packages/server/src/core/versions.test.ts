import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, says, type FakeService } from "@stowage/service-fake";
import type { FileContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.files.length = 0;
});

const grace = { "X-Test-User": "user_grace" };
const refused = {
  status: 403,
  code: "versions_refused",
  detail: "Versions cannot be used here: allowVersions does not allow it",
};
const noFile = { status: 404, code: "file_not_found", detail: "File not found" };
const callsOfVersions = () => service.calls.filter((call) => call.path.includes("/versions/"));

describe.each(transports)("over $name, versions", (transport) => {
  /** A file of Ada that replaced another one. */
  async function aReplacedFile() {
    const paths: string[] = [];
    const metadata = () => ({ state: paths.length === 0 ? "draft" : "published" });
    const stowage = aStowage(service, { routes: { draft: { replaces: () => paths.at(-1), metadata } } });
    for (const filename of ["first.txt", "second.txt"]) {
      const requested = await transport.call(stowage, "request", { filename, size: 12, route: "draft" });
      const file_path = requested.body!["file_path"] as string;
      await transport.call(stowage, "complete", { file_path });
      paths.push(file_path);
    }
    service.calls.length = 0;
    const [version, file_path] = paths as [string, string];
    return { file_path, version };
  }

  test("are refused unless allowVersions is set, and their downloads unless allowDownload is too", async () => {
    const body = await aReplacedFile();
    const query = { file_path: body.file_path };
    for (const options of [{}, { allowVersions: false }, { allowDownload: true }]) {
      const stowage = aStowage(service, options);
      expect(await transport.read(stowage, "versions", query)).toEqual(refused);
      expect(await transport.call(stowage, "restore-version", body)).toEqual(refused);
    }
    expect(await transport.call(aStowage(service, { allowDownload: true }), "download", body)).toEqual(
      refused,
    );
    const versionsOnly = aStowage(service, { allowVersions: true });
    expect(await transport.call(versionsOnly, "download", body)).toMatchObject({ code: "download_refused" });
    expect(service.calls).toEqual([]);
  });

  test("are listed, downloaded and restored in the user's tenant, which the browser does not learn", async () => {
    const { file_path, version } = await aReplacedFile();
    const stowage = aStowage(service, { allowVersions: true, allowDownload: true });
    const query = { file_path, tenant_id: "user_grace" };
    const listed = await transport.read(stowage, "versions", query);
    expect(listed).toMatchObject({ status: 200, body: { versions: [{ file_path: version }] } });
    const body = { ...query, version };
    expect(await transport.call(stowage, "download", body)).toMatchObject({ body: { file_path: version } });
    const restored = await transport.call(stowage, "restore-version", body);
    expect(restored).toMatchObject({ status: 200, body: { file_path: version, status: "stored" } });
    for (const { body } of [listed, restored]) expect(JSON.stringify(body)).not.toContain("user_ada");
    expect(service.calls.map((call) => call.body["tenant_id"] ?? call.path)).toEqual([
      expect.stringContaining("tenant_id=user_ada"),
      "user_ada",
      "user_ada",
    ]);
  });

  test("are restored although the connection breaks after the service has done it", async () => {
    const body = await aReplacedFile();
    let broken = 0;
    const losesFirstAnswer: typeof fetch = async (...request) => {
      const answer = await fetch(...request);
      if (broken++ === 0) throw new TypeError("fetch failed");
      return answer;
    };
    const stowage = aStowage(service, { allowVersions: true, fetch: losesFirstAnswer });
    expect(await transport.call(stowage, "restore-version", body)).toMatchObject({
      status: 200,
      body: { file_path: body.version, status: "stored" },
    });
    expect(callsOfVersions()).toHaveLength(2);
  });

  test("of another user's file do not exist, and allowVersions is not asked about it", async () => {
    const asked: FileContext[] = [];
    const allowVersions = (context: FileContext) => asked.push(context) > 0;
    const body = await aReplacedFile();
    const query = { file_path: body.file_path };
    for (const options of [{ allowVersions: true }, { allowVersions }]) {
      const stowage = aStowage(service, { ...options, allowDownload: true });
      expect(await transport.read(stowage, "versions", query, grace)).toEqual(noFile);
      expect(await transport.call(stowage, "download", body, grace)).toEqual(noFile);
      expect(await transport.call(stowage, "restore-version", body, grace)).toEqual(noFile);
    }
    expect(asked).toEqual([]);
  });

  test("are allowed by allowVersions for each file, and only by true", async () => {
    const body = await aReplacedFile();
    const contexts: FileContext[] = [];
    for (const answer of [false, "yes", Promise.resolve(true)]) {
      service.calls.length = 0;
      const allowVersions = (context: FileContext) => {
        contexts.push(context);
        return answer as boolean;
      };
      const stowage = aStowage(service, { allowVersions, allowDownload: true });
      const isAllowed = (await answer) === true;
      const expected = isAllowed ? { status: 200 } : refused;
      expect(await transport.read(stowage, "versions", { file_path: body.file_path })).toMatchObject(
        expected,
      );
      expect(await transport.call(stowage, "download", body)).toMatchObject(expected);
      expect(await transport.call(stowage, "restore-version", body)).toMatchObject(expected);
      expect(callsOfVersions()).toHaveLength(isAllowed ? 2 : 0);
    }
    expect(contexts).toHaveLength(9);
    expect(contexts[0]).toMatchObject({ tenantId: "user_ada", file: { filePath: body.file_path } });
  });

  test("are downloaded only if allowDownload allows the version too, and the file is read once", async () => {
    const { file_path, version } = await aReplacedFile();
    const asked: string[] = [];
    const record = (name: string, { file }: FileContext) =>
      asked.push(`${name} ${file.filePath}`) && file.metadata["state"] === "published";
    const allowVersions = (context: FileContext) => record("allowVersions", context);
    const allowDownload = (context: FileContext) => record("allowDownload", context);
    const download = (options: object, body: object = { file_path, version }) =>
      transport.call(aStowage(service, options), "download", body);
    expect(await download({ allowVersions, allowDownload })).toMatchObject({ code: "download_refused" });
    expect(asked).toEqual([
      `allowDownload ${file_path}`,
      `allowVersions ${file_path}`,
      `allowDownload ${version}`,
    ]);
    expect(service.calls.map(({ path }) => new URL(path, service.url).pathname)).toEqual([
      "/api/storage/file/",
      "/api/storage/versions/",
    ]);
    expect(await download({ allowVersions: true, allowDownload })).toMatchObject({
      code: "download_refused",
    });
    expect(await download({ allowVersions, allowDownload: true })).toMatchObject({ status: 200 });
    expect(await download({ allowVersions, allowDownload: () => true })).toMatchObject({ status: 200 });
    expect(await download({ allowVersions: false, allowDownload })).toEqual(refused);
    const unknown = { file_path, version: `${version}x` };
    expect(await download({ allowVersions, allowDownload }, unknown)).toEqual(noFile);
  });

  test("are read again after an outage, and keep the refusals of the service", async () => {
    const body = await aReplacedFile();
    const stowage = aStowage(service, { allowVersions: true });
    service.next(says(503, { detail: "Service temporarily unavailable" }));
    expect((await transport.read(stowage, "versions", { file_path: body.file_path })).status).toBe(200);
    service.next(says(409, { detail: "File is on hold" }, { "X-Error-Code": "file_on_hold" }));
    expect(await transport.call(stowage, "restore-version", body)).toMatchObject({
      status: 409,
      code: "file_on_hold",
    });
    const detailOf = async (input: object) =>
      (await transport.call(stowage, "restore-version", input)).detail;
    expect(await detailOf({ version: "x" })).toBe("file_path is required");
    expect(await detailOf({ file_path: "x" })).toBe("version is required");
  });
});
