import {
  createLinkResponse,
  type CreateLinkResponse,
  link,
  type Link,
  listLinksResponse,
  type ListLinksResponse,
} from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DASHBOARD_URL } from "../fixtures/a-person.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let replica: RunningService;
beforeAll(async () => {
  [service, replica] = await Promise.all([aService(), aService()]);
});
afterAll(() => Promise.all([service.close(), replica.close()]));

const PASSWORD = "correct horse battery";

async function aCustomer(settings: Parameters<typeof aProject>[0] = {}) {
  const { apiKey: key, ref } = await aProject(settings);
  const post = <Body = { detail: string }>(path: string, body: object) =>
    call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
  const list = (query: Record<string, string>) =>
    call<ListLinksResponse & { detail: string }>(
      `${service.url}/api/storage/links/?${new URLSearchParams(query).toString()}`,
      { key },
    );
  return {
    key,
    ref,
    post,
    list,
    store: (body = {}) => aStoredFile(service.url, key, body),
    share: async (file_path: string, body: object = {}) =>
      (await post<CreateLinkResponse>("links", { file_path, ...body })).body,
    downloadsOf: async (file_path: string) =>
      (await list({ file_path })).body.links.map((each) => each.downloads),
  };
}

/** A file of a new project, and a link to it. */
async function aLink(body: object = {}, settings?: Parameters<typeof aProject>[0]) {
  const customer = await aCustomer(settings);
  const file = await customer.store({ bytes: "shared bytes" });
  return { ...customer, file_path: file.file_path, shared: await customer.share(file.file_path, body) };
}

interface Visit {
  method?: string;
  /** Sent in the form. */
  password?: string;
  /** The address that a trusted proxy reports. */
  from?: string;
  accept?: string;
  at?: RunningService;
}

/** Visits the path of a link like a browser, and follows no redirect. */
async function visit(url: string, { method, password, from, accept, at = service }: Visit = {}) {
  const answer = await fetch(at.url + new URL(url).pathname, {
    method: method ?? (password === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: { ...(from && { "X-Forwarded-For": from }), ...(accept && { Accept: accept }) },
    ...(password !== undefined && { body: new URLSearchParams({ password }) }),
    signal: AbortSignal.timeout(180_000),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const notFound = { status: 404, text: '{"detail":"Link not found"}' };
const expectNotFound = async (url: string) => expect(await visit(url)).toMatchObject(notFound);

test("a link answers with its URL once, and lists and the database have no token", async () => {
  const { shared, file_path, list } = await aLink({ expires_after: 60, max_downloads: 3 });
  createLinkResponse.strict().parse(shared);
  expect(shared).toMatchObject({
    file_path,
    tenant_id: "t",
    max_downloads: 3,
    downloads: 0,
    has_password: false,
    disposition: "attachment",
  });
  expect(Date.parse(shared.expires_at!) - Date.parse(shared.created_at)).toBe(60_000);
  expect(shared.url).toMatch(new RegExp(`^${DASHBOARD_URL}/s/[0-9A-Za-z]{44}$`));
  const { url, ...rest } = shared;
  const { body } = await list({ file_path });
  listLinksResponse.strict().parse(body);
  expect(body).toEqual({ links: [rest], next_cursor: null });
  const rows = await queryDatabase("select to_jsonb(l)::text as row from share_links l where ref = $1", [
    shared.link_id,
  ]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(url.slice(-22));
});

test("a visit redirects to a URL of 60 seconds that no cache keeps and no referrer tells, and is counted", async () => {
  const { shared, file_path, downloadsOf } = await aLink({ disposition: "inline" });
  const { status, headers, text } = await visit(shared.url);
  expect([status, text]).toEqual([302, ""]);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  const location = new URL(headers.get("location")!);
  expect(location.searchParams.get("X-Amz-Expires")).toBe("60");
  expect(location.searchParams.get("response-content-disposition")).toMatch(/^inline/);
  expect(await (await fetch(location)).text()).toBe("shared bytes");
  expect(await downloadsOf(file_path)).toEqual([1]);
});

test("HEAD is not counted, and answers no URL that could be used instead of a download", async () => {
  const { shared, file_path, downloadsOf } = await aLink({ max_downloads: 1 });
  const head = await visit(shared.url, { method: "HEAD" });
  expect([head.status, head.headers.get("location")]).toEqual([302, null]);
  expect(await downloadsOf(file_path)).toEqual([0]);
  expect((await visit(shared.url)).status).toBe(302);
  expect((await visit(shared.url, { method: "HEAD" })).status).toBe(404);
});

test("a file can be shared right after its PUT, and not before it", async () => {
  const { key, post } = await aCustomer();
  const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt" });
  const body = { file_path: upload.file_path };
  expect(await post("links", body)).toMatchObject({ status: 404, body: { detail: "File not found" } });
  expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
  expect(await post("links", body)).toMatchObject({ status: 200 });
});

test("concurrent visits of two replicas never exceed max_downloads, and none is lost", async () => {
  const { shared, file_path, downloadsOf } = await aLink({ max_downloads: 7 });
  const visits = Array.from({ length: 40 }, (_, n) => visit(shared.url, { at: n % 2 ? replica : service }));
  const statuses = (await Promise.all(visits)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 302)).toHaveLength(7);
  expect(statuses.filter((status) => status === 404)).toHaveLength(33);
  expect(await downloadsOf(file_path)).toEqual([7]);
});

test("concurrent visits without a limit are all counted", async () => {
  const { shared, file_path, downloadsOf } = await aLink();
  const visits = Array.from({ length: 20 }, (_, n) => visit(shared.url, { at: n % 2 ? replica : service }));
  expect(new Set((await Promise.all(visits)).map(({ status }) => status))).toEqual(new Set([302]));
  expect(await downloadsOf(file_path)).toEqual([20]);
});

describe("one answer says that a link does not work:", () => {
  test("unknown tokens, of any form, and a token under another project's name", async () => {
    const [{ shared }, other] = [await aLink(), await aLink()];
    const token = shared.url.slice(-44);
    const swapped = other.shared.url.slice(-44, -22) + token.slice(22);
    const unknown = [
      token.slice(0, -1) + (token.endsWith("a") ? "b" : "a"),
      token.slice(1),
      "x",
      "%00",
      swapped,
    ];
    for (const each of [...unknown, "a".repeat(1500), `${token}x`])
      await expectNotFound(`http://x/s/${each}`);
  });

  test("revoked", async () => {
    const { shared, post, list, file_path } = await aLink();
    const { url, ...rest } = shared;
    const body = { link_id: shared.link_id };
    const revoked = await post<Link>("links/revoke", body);
    link.strict().parse(revoked.body);
    expect([revoked.status, revoked.body]).toEqual([200, rest]);
    await expectNotFound(url);
    expect((await list({ file_path })).body.links).toEqual([]);
    expect(await post("links/revoke", body)).toMatchObject({
      status: 404,
      body: { detail: "Link not found" },
    });
  });

  test("ended, on a clock that is a minute ahead", async () => {
    const { shared } = await aLink({ expires_after: 60 });
    const later = await aService({}, { clock: () => new Date(Date.now() + 61_000) });
    try {
      expect(await visit(shared.url, { at: later })).toMatchObject(notFound);
      expect((await visit(shared.url)).status).toBe(302);
    } finally {
      await later.close();
    }
  });

  test("in the trash, and the link works again when the file is restored", async () => {
    const { shared, post, file_path } = await aLink({}, { trashDays: 7 });
    await post("delete", { file_path });
    await expectNotFound(shared.url);
    await post("restore", { file_path });
    expect((await visit(shared.url)).status).toBe(302);
    await post("delete", { file_path, purge: true });
    await expectNotFound(shared.url);
  });

  test("replaced, until the version is restored; the new file gets no link of the old one", async () => {
    const { shared, post, store, list, file_path } = await aLink({}, { trashDays: 7, maxVersions: 3 });
    const current = await store({ bytes: "new bytes", replaces: file_path });
    await expectNotFound(shared.url);
    expect((await list({ file_path: current.file_path })).body.links).toEqual([]);
    await post("versions/restore", { file_path: current.file_path, version: file_path });
    const { status, headers } = await visit(shared.url);
    expect(status).toBe(302);
    expect(await (await fetch(headers.get("location")!)).text()).toBe("shared bytes");
  });

  test("deleted, and then nothing of the link is left", async () => {
    const { shared, post, file_path } = await aLink();
    await post("delete", { file_path });
    await expectNotFound(shared.url);
    expect(await queryDatabase("select from share_links where ref = $1", [shared.link_id])).toEqual([]);
  });

  test("not scanned, and in quarantine, while a clean file is handed out", async () => {
    const { ref, post, store, share, file_path } = await aLink();
    await queryDatabase("update projects set scan = 'external' where ref = $1", [ref]);
    const [clean, infected] = [await store(), await store()];
    const [toClean, toInfected] = [await share(clean.file_path), await share(infected.file_path)];
    for (const { url } of [toClean, toInfected, await share(file_path)]) await expectNotFound(url);
    await post("scan-result", { file_path: clean.file_path, verdict: "clean" });
    await post("scan-result", { file_path: infected.file_path, verdict: "infected" });
    expect((await visit(toClean.url)).status).toBe(302);
    await expectNotFound(toInfected.url);
  });

  test("of a tenant that was deleted", async () => {
    const { shared, post } = await aLink();
    for (let left = 1; left > 0;)
      left = (await post<{ remaining_files: number }>("tenants/delete", { tenant_id: "t" })).body
        .remaining_files;
    await expectNotFound(shared.url);
    expect(await queryDatabase("select from share_links where ref = $1", [shared.link_id])).toEqual([]);
  });

  test("on a page for people, whatever the reason", async () => {
    const { shared, post } = await aLink();
    await post("links/revoke", { link_id: shared.link_id });
    const pages = [];
    for (const url of [shared.url, "http://x/s/unknown"])
      pages.push(await visit(url, { accept: "text/html" }));
    expect(pages.map(({ status }) => status)).toEqual([404, 404]);
    expect(pages[0]!.text).toBe(pages[1]!.text);
    expect(pages[0]!.text).toContain("This link does not work");
    expect(pages[0]!.headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*form-action 'self';/,
    );
  });
});

describe("a password", () => {
  test("is asked for on a page that runs no script, and only the right one leads to the file", async () => {
    const { shared, file_path, downloadsOf } = await aLink({ password: PASSWORD });
    expect(shared.has_password).toBe(true);
    const page = await visit(shared.url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).not.toContain("a.txt");
    const policy = page.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe/);
    const head = await visit(shared.url, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    const wrong = await visit(shared.url, { password: "wrong password" });
    expect([wrong.status, wrong.text.includes("This password is wrong")]).toEqual([403, true]);
    expect((await visit(shared.url, { method: "POST" })).status).not.toBe(302);
    expect(await downloadsOf(file_path)).toEqual([0]);
    const right = await visit(shared.url, { password: PASSWORD });
    expect(right.status).toBe(302);
    expect(policy).toContain(`form-action 'self' ${new URL(right.headers.get("location")!).origin}`);
    expect(await downloadsOf(file_path)).toEqual([1]);
    const [row] = await queryDatabase("select to_jsonb(l)::text as row from share_links l where ref = $1", [
      shared.link_id,
    ]);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });

  test("may be of any letters, and is compared in one normal form", async () => {
    const { shared } = await aLink({ password: "pässwörd 見積書 🔑" });
    expect((await visit(shared.url, { password: "pässwörd 見積書 🔑".normalize("NFD") })).status).toBe(302);
  });

  test("is refused after ten wrong ones of an address within an hour, at every replica", async () => {
    const { shared, file_path, share } = await aLink({ password: PASSWORD });
    let aheadMs = 0;
    const now = Date.now();
    const stopped = { clock: () => new Date(now + aheadMs) };
    const [one, two] = [await aService({}, stopped), await aService({}, stopped)];
    try {
      const guess = async (password: string, from: string, n = 0, url = shared.url) =>
        (await visit(url, { password, from, at: n % 2 ? one : two })).status;
      const wrong = (n = 0) => guess("wrong password", "192.0.2.1", n);
      const statuses = [];
      for (let n = 0; n < 11; n++) statuses.push(await wrong(n));
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
      const right = await visit(shared.url, { password: PASSWORD, from: "192.0.2.1", at: one });
      expect([right.status, Number(right.headers.get("retry-after"))]).toEqual([429, 360]);
      // Other addresses, and other links of the same file, are not affected.
      expect(await guess(PASSWORD, "192.0.2.2")).toBe(302);
      const another = await share(file_path, { password: PASSWORD });
      expect(await guess(PASSWORD, "192.0.2.1", 0, another.url)).toBe(302);
      aheadMs = 360_000;
      expect([await wrong(), await wrong()]).toEqual([403, 429]);
      aheadMs += 3_600_000;
      // A right password uses up no try.
      expect([await guess(PASSWORD, "192.0.2.1"), await wrong()]).toEqual([302, 403]);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });

  test("of a link that was used up is not looked at", async () => {
    const { shared } = await aLink({ password: PASSWORD, max_downloads: 1 });
    expect((await visit(shared.url, { password: PASSWORD })).status).toBe(302);
    expect((await visit(shared.url, { password: PASSWORD })).status).toBe(404);
    expect((await visit(shared.url)).status).toBe(404);
  });

  test("that is too long for the form is refused before it is read", async () => {
    const { shared } = await aLink({ password: PASSWORD });
    expect((await visit(shared.url, { password: "x".repeat(5000) })).status).toBe(413);
    const json = await call(service.url + new URL(shared.url).pathname, { body: { password: PASSWORD } });
    expect(json.status).toBe(415);
  });
});

test.each([
  [{}, "file_path is required"],
  [{ expires_after: 59 }, "expires_after must be at least 60 seconds"],
  [{ expires_after: 315_360_001 }, "expires_after must be at most 315360000 seconds"],
  [{ expires_after: 60.5 }, "expires_after must be a whole number of seconds"],
  [{ max_downloads: 0 }, "max_downloads must be at least 1"],
  [{ max_downloads: 1_000_000_001 }, "max_downloads must be at most 1000000000"],
  [{ max_downloads: "5" }, "max_downloads must be a whole number"],
  [{ password: "1234567" }, "password must be at least 8 characters"],
  [{ password: "" }, "password must be at least 8 characters"],
  [{ password: "x".repeat(129) }, "password must be at most 128 characters"],
  [{ password: "12345678\0" }, "password must not contain control characters"],
  [{ password: 12345678 }, "password must be a string"],
  [{ disposition: "download" }, "disposition must be one of attachment, inline"],
  [{ tenant_id: "" }, "tenant_id is required"],
])("refuses a link with %j", async (member, detail) => {
  const { post } = await aCustomer();
  const body = Object.keys(member).length === 0 ? {} : { file_path: "x", ...member };
  expect(await post("links", body)).toMatchObject({ status: 400, body: { detail } });
});

test("lists the links of a tenant or a file in pages, newest first", async () => {
  const { store, share, list } = await aCustomer();
  const [a, b] = [await store(), await store({ tenant_id: "u" })];
  const ids = [];
  for (const { file_path } of [a, b, a, a]) ids.unshift((await share(file_path)).link_id);
  const [third, second, ofB, first] = ids;
  const page = await list({ tenant_id: "t", limit: "2" });
  expect(page.body.links.map(({ link_id }) => link_id)).toEqual([third, second]);
  const rest = await list({ tenant_id: "t", limit: "2", cursor: page.body.next_cursor! });
  expect(rest.body).toMatchObject({ links: [{ link_id: first }], next_cursor: null });
  expect((await list({ file_path: b.file_path })).body.links.map(({ link_id }) => link_id)).toEqual([ofB]);
  expect((await list({ file_path: b.file_path, tenant_id: "t" })).body.links).toEqual([]);
  expect(await list({})).toMatchObject({
    status: 400,
    body: { detail: "tenant_id or file_path is required" },
  });
  expect(await list({ tenant_id: "t", cursor: "x" })).toMatchObject({ status: 400 });
});

test("a file has at most 1,000 links that work, and those that have ended make room", async () => {
  const { file_path, post, share, list } = await aLink({ max_downloads: 1 });
  const add = (links: number, expiresAt = "") =>
    queryDatabase(
      `insert into share_links (project_id, ref, file_id, tenant, token_hash, disposition, created_at, expires_at)
       select f.project_id, gen_random_uuid(), f.id, f.tenant, gen_random_uuid(), 'inline', now(), nullif($3, '')::timestamptz
       from files f, generate_series(1, $2::int) where f.path = $1`,
      [file_path, String(links), expiresAt],
    );
  await add(500, "2020-01-01T00:00:00Z");
  await add(497);
  const create = async () => (await post("links", { file_path })).status;
  expect((await Promise.all(Array.from({ length: 4 }, create))).sort()).toEqual([200, 200, 200, 200]);
  await add(496);
  expect((await Promise.all(Array.from({ length: 5 }, create))).sort()).toEqual([200, 200, 400, 400, 400]);
  expect(await post("links", { file_path })).toMatchObject({
    status: 400,
    body: { detail: "A file can have at most 1000 links that work: revoke one of them" },
  });
  const { link_id } = (await list({ file_path })).body.links[0]!;
  expect((await post("links/revoke", { link_id })).status).toBe(200);
  expect(await share(file_path)).toMatchObject({ file_path });
});

test("a link of another tenant or another file is not revoked", async () => {
  const { shared, post, store, file_path } = await aLink();
  const { link_id } = shared;
  const other = await store();
  const own = { tenant_id: "t", file_path };
  for (const wrong of [{ tenant_id: "u" }, { file_path: other.file_path }])
    expect(await post("links/revoke", { link_id, ...own, ...wrong })).toMatchObject({
      status: 404,
      body: { detail: "Link not found" },
    });
  expect((await visit(shared.url)).status).toBe(302);
  expect(await post("links/revoke", { link_id, ...own })).toMatchObject({ status: 200 });
});

test("neither token nor password reaches the log, whatever the answer", async () => {
  const { shared } = await aLink({ password: PASSWORD });
  const unknown = "http://x/s/UnknownTokenUnknownTokenUnknownTokenUnknownT";
  for (const url of [shared.url, unknown, `${unknown}/more`, `${shared.url}%`])
    for (const password of [undefined, "wrong password", PASSWORD, "x".repeat(5000)])
      await visit(url, { ...(password && { password }) });
  await visit(shared.url, { method: "DELETE" });
  expect(service.log()).toContain('"route":"/s/:token"');
  for (const secret of [shared.url.slice(-22), "UnknownToken", PASSWORD, "wrong password"])
    expect(service.log()).not.toContain(secret);
});

test("an address that uses too many links, or too many that do not work, has to wait", async () => {
  const now = new Date();
  const clock = () => now;
  const [failing, busy] = [
    await aService({ FAILING_KEYS_PER_MINUTE: "3" }, { clock }),
    await aService({ RATE_LIMIT_PER_MINUTE: "3" }, { clock }),
  ];
  try {
    const { shared } = await aLink();
    const statuses = async (at: RunningService, url: string, from: string) => {
      const all = [];
      for (let n = 0; n < 5; n++) all.push((await visit(url, { at, from })).status);
      return all;
    };
    expect(await statuses(failing, "http://x/s/unknown", "192.0.2.1")).toEqual([404, 404, 404, 429, 429]);
    const refused = await visit(shared.url, { at: failing, from: "192.0.2.1", accept: "text/html" });
    expect([refused.status, refused.text.includes("Too many tries")]).toEqual([429, true]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await statuses(failing, shared.url, "192.0.2.2")).toEqual([302, 302, 302, 302, 302]);
    expect(await statuses(busy, shared.url, "192.0.2.1")).toEqual([302, 302, 302, 429, 429]);
    // The key of the project still works from this address.
    const own = await visit(shared.url, { at: busy, from: "192.0.2.3" });
    expect(own.status).toBe(302);
  } finally {
    await Promise.all([failing.close(), busy.close()]);
  }
});

test("below a path, the link has the path and works with and without it", async () => {
  const below = await aService({ DASHBOARD_URL: "https://tools.example.com/stowage" });
  try {
    const { key, store } = await aCustomer();
    const { file_path } = await store();
    const { body } = await call<CreateLinkResponse>(`${below.url}/api/storage/links/`, {
      key,
      body: { file_path },
    });
    const { origin, pathname } = new URL(body.url);
    expect([origin, pathname.slice(0, 11)]).toEqual(["https://tools.example.com", "/stowage/s/"]);
    for (const path of [pathname, pathname.replace("/stowage", ""), `${pathname}/`])
      expect((await visit(`http://x${path}`, { at: below })).status).toBe(302);
  } finally {
    await below.close();
  }
});
