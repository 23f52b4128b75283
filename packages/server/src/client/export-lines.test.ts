import { type aService, aFileAnswer, hangsUp, says, staysSilent } from "@stowage/service-fake";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aClientSetup, type ClientSetup, unavailable } from "../../test/client-setup.js";

type Answer = Parameters<Awaited<ReturnType<typeof aService>>["next"]>[0];

let setup: ClientSetup;
beforeEach(async () => void (setup = await aClientSetup()));
afterEach(() => setup[Symbol.asyncDispose]());

const tenant = {
  type: "tenant",
  tenant_id: "u",
  used_bytes: 36,
  reserved_bytes: 0,
  file_count: 3,
  quota_bytes: null,
  quota_source: null,
  plan: null,
  max_files: null,
  max_open_uploads: null,
  uploads_per_minute: null,
  created_at: "2026-01-01T00:00:00.000Z",
};
const file = (name: string) => ({
  type: "file",
  cursor: `after ${name}`,
  ...aFileAnswer({ file_path: name, tenant_id: "u" }),
  presigned_url: `https://storage.example/${name}`,
  url_expires_at: "2026-01-01T01:00:00.000Z",
});
const link = (id: string) => ({
  type: "link",
  cursor: `after ${id}`,
  link_id: id,
  file_path: "a",
  tenant_id: "u",
  created_at: "2026-01-01T00:00:00.000Z",
  expires_at: null,
  max_downloads: 5,
  downloads: 2,
  has_password: false,
  disposition: "attachment",
});
const end = { type: "end", files: 3, links: 2 };

/** Sends lines, and then ends the answer, or cuts the connection in the middle of a line. */
const sendsLines =
  (lines: object[], { isCut = false } = {}): Answer =>
  (_call, response) => {
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    if (isCut) response.write(`${text}{"type":"fi`, () => response.destroy());
    else response.end(text);
  };

const queries = () => setup.service.calls.map(({ path }) => path.replace("/api/storage/tenants/export/", ""));

async function readAll(exporting: AsyncIterable<{ type: string; filePath?: string; linkId?: string }>) {
  const entries: string[] = [];
  for await (const entry of exporting) entries.push(entry.linkId ?? entry.filePath ?? entry.type);
  return entries;
}

describe("exportTenant", () => {
  test("yields the tenant, its files and its links in camelCase", async () => {
    setup.service.next(sendsLines([tenant, file("a"), link("one"), end]));
    const entries = [];
    for await (const entry of setup.createClient().exportTenant("u")) entries.push(entry);
    expect(entries).toMatchObject([
      { type: "tenant", tenantId: "u", usedBytes: 36 },
      { type: "file", filePath: "a", cursor: "after a", presignedUrl: "https://storage.example/a" },
      { type: "link", linkId: "one", filePath: "a", cursor: "after one", maxDownloads: 5, downloads: 2 },
    ]);
  });

  test.each<[string, Answer]>([
    ["is cut", sendsLines([tenant, file("a")], { isCut: true })],
    ["ends before the last line", sendsLines([tenant, file("a")])],
  ])("continues after the last file if the connection %s, and yields nothing twice", async (_how, broken) => {
    setup.service.next(broken, unavailable, sendsLines([file("b"), end]));
    expect(await readAll(setup.createClient().exportTenant("u"))).toEqual(["tenant", "a", "b"]);
    expect(queries()).toEqual(["?tenant_id=u", "?tenant_id=u&after=after+a", "?tenant_id=u&after=after+a"]);
  });

  test("continues after the last link if the connection is cut among them", async () => {
    const broken = sendsLines([tenant, file("a"), link("one")], { isCut: true });
    setup.service.next(broken, sendsLines([link("two"), end]));
    expect(await readAll(setup.createClient().exportTenant("u"))).toEqual(["tenant", "a", "one", "two"]);
    expect(queries()).toEqual(["?tenant_id=u", "?tenant_id=u&after=after+one"]);
  });

  test("yields the tenant once if the connection breaks before the first file", async () => {
    setup.service.next(hangsUp, sendsLines([tenant], { isCut: true }), sendsLines([tenant, file("a"), end]));
    expect(await readAll(setup.createClient().exportTenant("u"))).toEqual(["tenant", "a"]);
  });

  test("gives up if no attempt brings another line", async () => {
    setup.service.always(sendsLines([tenant]));
    const client = setup.createClient({ retries: { attempts: 2, firstDelayMs: 1, longestDelayMs: 2 } });
    const seen: string[] = [];
    const exporting = (async () => {
      for await (const entry of client.exportTenant("u")) seen.push(entry.type);
    })();
    await expect(exporting).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("ended before its last line") as string,
    });
    expect(seen).toEqual(["tenant"]);
    expect(setup.service.calls).toHaveLength(3);
  });

  test("starts after a cursor of an earlier export", async () => {
    setup.service.next(sendsLines([file("b"), end]));
    expect(await readAll(setup.createClient().exportTenant("u", { after: "after a" }))).toEqual(["b"]);
    expect(queries()).toEqual(["?tenant_id=u&after=after+a"]);
  });

  test("is refused with the service's code, and not repeated", async () => {
    setup.service.next(says(404, { detail: "Tenant not found" }, { "X-Error-Code": "tenant_not_found" }));
    await expect(readAll(setup.createClient().exportTenant("u"))).rejects.toMatchObject({
      code: "tenant_not_found",
      message: "Tenant not found",
    });
    expect(setup.service.calls).toHaveLength(1);
  });

  test("refuses a line that is no line of an export, and one without an end", async () => {
    const client = setup.createClient({ retries: { attempts: 0 } });
    setup.service.next(sendsLines([{ type: "other" }]));
    await expect(readAll(client.exportTenant("u"))).rejects.toMatchObject({ code: "unavailable" });
    setup.service.next((_call, response) => void response.end("x".repeat(2 ** 21)));
    await expect(readAll(client.exportTenant("u"))).rejects.toMatchObject({
      message: expect.stringContaining("a line of its answer is too long") as string,
    });
  });

  test("ends its request when the reader stops, and when the signal aborts", async () => {
    const closed = () =>
      new Promise<void>((resolve) => {
        setup.service.next((_call, response) => {
          response.on("close", resolve);
          response.writeHead(200).write(`${JSON.stringify(tenant)}\n${JSON.stringify(file("a"))}\n`);
        });
      });
    const afterBreak = closed();
    for await (const entry of setup.createClient().exportTenant("u")) {
      expect(entry.type).toBe("tenant");
      break;
    }
    await afterBreak;

    const afterAbort = closed();
    const controller = new AbortController();
    const reason = new Error("enough");
    const reading = (async () => {
      for await (const entry of setup.createClient().exportTenant("u", { signal: controller.signal })) {
        if (entry.type === "file") controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await afterAbort;
  });

  test("fails if the service says nothing for the time limit", async () => {
    setup.service.next(staysSilent);
    const client = setup.createClient({ timeoutMs: 50, retries: { attempts: 0 } });
    await expect(readAll(client.exportTenant("u"))).rejects.toMatchObject({
      message: expect.stringContaining("no answer within 50 ms") as string,
    });
  });
});
