import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, hangsUp, says, type FakeService } from "@stowage/service-fake";
import { StowageError, type FileContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.links.length = 0;
});

const path = { file_path: FILE_PATH };
const ada = { tenant_id: "user_ada" };
const grace = { "X-Test-User": "user_grace" };
const refused = {
  status: 403,
  code: "share_refused",
  detail: "Files cannot be shared here: allowShare does not allow it",
};
const noFile = { status: 404, code: "file_not_found", detail: "File not found" };
const noLink = { status: 404, code: "link_not_found", detail: "Link not found" };
const callsOfLinks = () => service.calls.filter((call) => call.path.startsWith("/api/storage/links/"));

describe.each(transports)("over $name, share links", (transport) => {
  const requestFile = (stowage = aStowage(service)) =>
    transport.call(stowage, "request", { filename: "a", size: 1 });

  test("are refused by default", async () => {
    for (const options of [{}, { allowShare: false }, { allowShare: undefined }]) {
      const stowage = aStowage(service, options);
      expect(await transport.call(stowage, "share", path)).toEqual(refused);
      expect(await transport.read(stowage, "links", path)).toEqual(refused);
      expect(await transport.call(stowage, "revoke-link", { ...path, link_id: "x" })).toEqual(refused);
    }
    expect(service.calls).toEqual([]);
  });

  test("need a session, and calls that the service would take", async () => {
    const stowage = aStowage(service, { allowShare: true });
    const signedOut = { "X-Test-User": "" };
    expect((await transport.call(stowage, "share", path, signedOut)).status).toBe(401);
    expect((await transport.read(stowage, "links", path, signedOut)).status).toBe(401);
    const revoke = { ...path, link_id: "x" };
    expect((await transport.call(stowage, "revoke-link", revoke, signedOut)).status).toBe(401);
    const detailOf = async (body: object) => (await transport.call(stowage, "share", body)).detail;
    expect(await detailOf({})).toBe("file_path is required");
    expect(await detailOf({ ...path, expires_after: 59 })).toMatch(/^expires_after must be at least 60/);
    expect(await detailOf({ ...path, max_downloads: 0 })).toBe("max_downloads must be at least 1");
    expect(await detailOf({ ...path, password: "short" })).toMatch(/^password must/);
    expect((await transport.read(stowage, "links", {})).detail).toBe("file_path is required");
    expect((await transport.call(stowage, "revoke-link", path)).detail).toBe("link_id is required");
    expect((await transport.call(stowage, "revoke-link", { link_id: "x" })).detail).toBe(
      "file_path is required",
    );
    expect(service.calls).toEqual([]);
  });

  test("are created, listed and ended in the user's tenant, which the browser does not learn", async () => {
    const stowage = aStowage(service, { allowShare: true });
    await requestFile(stowage);
    service.calls.length = 0;
    const limits = { expires_after: 60, max_downloads: 5, password: "correct horse", disposition: "inline" };
    const made = await transport.call(stowage, "share", { ...path, ...limits, tenant_id: "user_grace" });
    expect(made).toEqual({
      status: 200,
      body: {
        link_id: expect.any(String),
        ...path,
        url: expect.stringMatching(/\/s\//),
        created_at: expect.any(String),
        expires_at: expect.any(String),
        max_downloads: 5,
        downloads: 0,
        has_password: true,
        disposition: "inline",
      },
    });
    const { url: _url, ...link } = made.body!;
    const query = { ...path, tenant_id: "user_grace", limit: "1" };
    expect(await transport.read(stowage, "links", query)).toMatchObject({ body: { links: [link] } });
    const revoke = { ...path, link_id: link["link_id"], tenant_id: "user_grace" };
    expect(await transport.call(stowage, "revoke-link", revoke)).toEqual({ status: 200, body: {} });
    expect(await transport.call(stowage, "revoke-link", revoke)).toEqual(noLink);
    expect(service.calls.map((call) => call.body["tenant_id"] ?? call.path)).toEqual([
      "user_ada",
      expect.stringContaining("tenant_id=user_ada"),
      "user_ada",
      "user_ada",
    ]);
    expect(service.calls[0]?.body).toEqual({ ...path, ...ada, ...limits });
  });

  test("of another user's file do not exist, and allowShare is not asked about it", async () => {
    const asked: FileContext[] = [];
    const allowShare = (context: FileContext) => asked.push(context) > 0;
    await requestFile();
    const made = await transport.call(aStowage(service, { allowShare: true }), "share", path);
    const revoke = { ...path, link_id: made.body!["link_id"] };
    service.calls.length = 0;
    const open = aStowage(service, { allowShare: true });
    expect(await transport.call(open, "share", path, grace)).toEqual(noFile);
    expect(await transport.call(open, "revoke-link", revoke, grace)).toEqual(noLink);
    const none = { links: [], next_cursor: null };
    expect(await transport.read(open, "links", path, grace)).toEqual({ status: 200, body: none });
    const asking = aStowage(service, { allowShare });
    expect(await transport.call(asking, "share", path, grace)).toEqual(noFile);
    expect(await transport.call(asking, "revoke-link", revoke, grace)).toEqual(noFile);
    expect(await transport.read(asking, "links", path, grace)).toEqual(noFile);
    expect(asked).toEqual([]);
    expect((await transport.read(open, "links", path)).body?.["links"]).toHaveLength(1);
  });

  test("are not ended by the name of another file of the user", async () => {
    const stowage = aStowage(service, { allowShare: true });
    await requestFile(stowage);
    const { body } = await transport.call(stowage, "share", path);
    const revoke = { file_path: "projects/p/tenants/t/2_file", link_id: body!["link_id"] };
    expect(await transport.call(stowage, "revoke-link", revoke)).toEqual(noLink);
    expect(callsOfLinks().at(-1)?.body).toEqual({ ...revoke, ...ada });
  });

  test("are allowed by allowShare for each file, and only by true", async () => {
    await requestFile();
    const contexts: FileContext[] = [];
    for (const answer of [true, Promise.resolve(true), false, "yes"]) {
      service.calls.length = 0;
      const allowShare = (context: FileContext) => {
        contexts.push(context);
        return answer as boolean;
      };
      const stowage = aStowage(service, { allowShare });
      const isAllowed = (await answer) === true;
      const revoke = { ...path, link_id: "none" };
      expect(await transport.call(stowage, "share", path)).toMatchObject(
        isAllowed ? { status: 200 } : refused,
      );
      expect(await transport.read(stowage, "links", path)).toMatchObject(
        isAllowed ? { status: 200 } : refused,
      );
      expect(await transport.call(stowage, "revoke-link", revoke)).toEqual(isAllowed ? noLink : refused);
      expect(callsOfLinks()).toHaveLength(isAllowed ? 3 : 0);
    }
    expect(contexts).toHaveLength(12);
    expect(contexts[0]).toMatchObject({ tenantId: "user_ada", file: { filePath: FILE_PATH } });
  });

  test("are refused with the text of the customer's own error", async () => {
    const allowShare = () => {
      throw new StowageError("share_refused", { detail: "Contracts stay here" });
    };
    await requestFile();
    const stowage = aStowage(service, { allowShare });
    const own = { ...refused, detail: "Contracts stay here" };
    expect(await transport.call(stowage, "share", path)).toEqual(own);
  });

  test("are created by one call of the service, also when it fails", async () => {
    const stowage = aStowage(service, { allowShare: true });
    service.next(hangsUp);
    expect((await transport.call(stowage, "share", path)).status).toBe(503);
    expect(service.calls).toHaveLength(1);
    service.next(says(503, { detail: "Service temporarily unavailable" }));
    expect((await transport.read(stowage, "links", path)).status).toBe(200);
    expect(service.calls).toHaveLength(3);
  });
});
