import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aFileAnswer, aService, hangsUp, type FakeService } from "@stowage/service-fake";
import { routeOf, StowageError, type FileContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.files.length = 0;
});

const routes = { documents: {}, avatar: {} };
const refused = {
  status: 403,
  code: "list_refused",
  detail: "Files cannot be listed here: allowList does not allow it",
};

/** Stores a file of Ada, as the newest one. */
function store(name: string, { route, tenant = "user_ada" }: { route?: string; tenant?: string } = {}) {
  const metadata = { secret: "of the backend", ...(route && { stowage_route: route }) };
  service.files.unshift({
    ...aFileAnswer({ file_path: `projects/p/${name}`, tenant_id: tenant }),
    filename: name,
    metadata,
  });
}

const namesOf = (body: Record<string, unknown> = {}) =>
  (body["files"] as { filename: string }[]).map(({ filename }) => filename);
const listings = () => service.calls.filter((call) => call.path.startsWith("/api/storage/files/"));

describe.each(transports)("over $name, list", (transport) => {
  test("is refused by default, with the name of the option", async () => {
    for (const options of [{}, { allowList: false }, { allowList: undefined }]) {
      expect(await transport.read(aStowage(service, options), "list")).toEqual(refused);
    }
    expect(service.calls).toEqual([]);
  });

  test("requires a session", async () => {
    const stowage = aStowage(service, { allowList: true });
    expect((await transport.read(stowage, "list", {}, { "X-Test-User": "" })).status).toBe(401);
    expect(service.calls).toEqual([]);
  });

  test("lists the stored files of the user, newest first, without the tenant and the metadata", async () => {
    store("old.txt");
    store("of grace.txt", { tenant: "user_grace" });
    store("new.txt", { route: "documents" });
    const stowage = aStowage(service, { allowList: true, routes });
    const query = { tenant_id: "user_grace", tenantId: "user_grace", status: "pending" };
    const { status, body } = await transport.read(stowage, "list", query);
    expect(status).toBe(200);
    expect(namesOf(body)).toEqual(["new.txt", "old.txt"]);
    const file = {
      file_path: "projects/p/new.txt",
      filename: "new.txt",
      content_type: "text/plain",
      size: 12,
      status: "stored",
      etag: "abc",
      created_at: "2026-01-01T00:00:00.000Z",
      stored_at: "2026-01-01T00:00:01.000Z",
      scan_status: "none",
      route: "documents",
    };
    const { route: _, ...withoutRoute } = file;
    expect(body).toEqual({
      files: [file, { ...withoutRoute, file_path: "projects/p/old.txt", filename: "old.txt" }],
      next_cursor: null,
    });
    const sent = new URL(service.calls[0]!.path, service.url).searchParams;
    expect(Object.fromEntries(sent)).toEqual({ tenant_id: "user_ada", status: "stored", limit: "50" });
  });

  test("pages through the files by the service's cursor", async () => {
    for (const name of ["1", "2", "3", "4", "5"]) store(name);
    const stowage = aStowage(service, { allowList: true });
    const seen: string[][] = [];
    let cursor: unknown;
    do {
      const query = { limit: "2", ...(cursor === undefined ? {} : { cursor: String(cursor) }) };
      const { body } = await transport.read(stowage, "list", query);
      seen.push(namesOf(body));
      cursor = body?.["next_cursor"];
    } while (cursor !== null);
    expect(seen).toEqual([["5", "4"], ["3", "2"], ["1"]]);
  });

  test("refuses a page that is too large, and one that is no number", async () => {
    const stowage = aStowage(service, { allowList: true });
    for (const limit of ["0", "101", "many"]) {
      expect(await transport.read(stowage, "list", { limit })).toMatchObject({
        status: 400,
        code: "invalid_request",
        detail: expect.stringContaining("limit must be"),
      });
    }
    expect(service.calls).toEqual([]);
  });

  test("lists the files of one route, and leaves none out between two pages", async () => {
    for (let index = 0; index < 6; index++) store(`${index}`, { route: index % 2 ? "avatar" : "documents" });
    store("without a route");
    const stowage = aStowage(service, { allowList: true, routes });
    const { body } = await transport.read(stowage, "list", { route: "documents", limit: "2" });
    expect(namesOf(body)).toEqual(["4", "2"]);
    const { body: next } = await transport.read(stowage, "list", {
      route: "documents",
      limit: "2",
      cursor: String(body?.["next_cursor"]),
    });
    expect(namesOf(next)).toEqual(["0"]);
    expect(next?.["next_cursor"]).toBeNull();
  });

  test("returns no more files than asked for, and skips none, if a file is deleted meanwhile", async () => {
    for (const name of ["4", "3", "2", "hidden", "1"]) store(name);
    const allowList = ({ file }: FileContext) => {
      service.files.splice(0, Infinity, ...service.files.filter(({ filename }) => filename !== "hidden"));
      return file.filename !== "hidden";
    };
    const stowage = aStowage(service, { allowList });
    const { body } = await transport.read(stowage, "list", { limit: "2" });
    expect(namesOf(body)).toEqual(["1", "2"]);
    const cursor = String(body?.["next_cursor"]);
    expect(namesOf((await transport.read(stowage, "list", { limit: "2", cursor })).body)).toEqual(["3", "4"]);
  });

  test("fills a page from several pages of the service, with no more files than asked for", async () => {
    for (const name of ["1", "2", "3"]) store(name, { route: "documents" });
    for (let index = 0; index < 100; index++) store(`picture ${index}`, { route: "avatar" });
    store("4", { route: "documents" });
    const stowage = aStowage(service, { allowList: true, routes });
    const { body } = await transport.read(stowage, "list", { route: "documents", limit: "2" });
    expect(namesOf(body)).toEqual(["4", "3"]);
    const cursor = String(body?.["next_cursor"]);
    const { body: next } = await transport.read(stowage, "list", { route: "documents", limit: "2", cursor });
    expect(namesOf(next)).toEqual(["2", "1"]);
  });

  test("looks through at most 500 files for one page", async () => {
    store("letter", { route: "documents" });
    for (let index = 0; index < 600; index++) store(`${index}`, { route: "avatar" });
    const stowage = aStowage(service, { allowList: true, routes });
    const { body } = await transport.read(stowage, "list", { route: "documents", limit: "2" });
    expect(body).toEqual({ files: [], next_cursor: "500" });
    expect(listings()).toHaveLength(5);
    const { body: next } = await transport.read(stowage, "list", { route: "documents", cursor: "500" });
    expect(namesOf(next)).toEqual(["letter"]);
  });

  test("names the routes if there is no such route", async () => {
    const stowage = aStowage(service, { allowList: true, routes });
    expect(await transport.read(stowage, "list", { route: "documets" })).toEqual({
      status: 404,
      code: "route_not_found",
      detail: '"documets" is not an upload route. There are: documents, avatar',
    });
  });

  test("leaves out the files for which allowList does not return true", async () => {
    store("picture", { route: "avatar" });
    store("letter", { route: "documents" });
    const contexts: FileContext[] = [];
    const allowList = (context: FileContext) => {
      contexts.push(context);
      return (routeOf(context.file) === "documents" ? true : "yes") as boolean;
    };
    const { body } = await transport.read(aStowage(service, { allowList, routes }), "list");
    expect(namesOf(body)).toEqual(["letter"]);
    expect(contexts.map(({ tenantId, file }) => [tenantId, file.filename])).toEqual([
      ["user_ada", "letter"],
      ["user_ada", "picture"],
    ]);
  });

  test("sends a StowageError of the callback, and reports another error", async () => {
    store("letter");
    const refusing = () => {
      throw new StowageError("list_refused", { detail: "Your plan has no archive" });
    };
    expect(await transport.read(aStowage(service, { allowList: refusing }), "list")).toEqual({
      ...refused,
      detail: "Your plan has no archive",
    });
    const failing = aStowage(service, { allowList: async () => Promise.reject(new Error("no database")) });
    expect(await transport.read(failing, "list")).toMatchObject({ status: 500, code: "internal_error" });
    expect(failing.reported.map(({ message }) => message)).toEqual(["allowList threw an error"]);
  });

  test("retries after a broken connection", async () => {
    service.next(hangsUp);
    expect((await transport.read(aStowage(service, { allowList: true }), "list")).status).toBe(200);
  });
});
