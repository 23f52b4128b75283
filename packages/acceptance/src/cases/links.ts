import { core, topic } from "../case.js";
import type { Context } from "../context.js";
import { aText, exactly } from "../expect/match.js";

const PASSWORD = "correct horse";
const NOT_FOUND = [404, "link_not_found", "Link not found"] as const;

/** `links/`, `links/revoke/` and `/s/TOKEN` */
export const linkCases = topic("a share link", [
  core("hands the file out without a key, counts that, and ends after its downloads", async (t) => {
    const { file_path, tenant_id } = await t.cleanFile();
    const { url, ...link } = await t.link({ file_path, tenant_id, max_downloads: 2, expires_after: 3600 });
    await isHandedOut(t, url);
    const listed = {
      ...link,
      max_downloads: 2,
      downloads: 1,
      has_password: false,
      disposition: "attachment",
    };
    const page = { links: [exactly(listed)], next_cursor: null };
    (await t.get("links", { file_path })).ok(page);
    (await t.get("links", { file_path, tenant_id })).ok(page);
    await isHandedOut(t, url);
    (await t.visit(url)).refused(...NOT_FOUND);
    (await t.get("links", { file_path })).ok({ links: [{ downloads: 2 }] });
  }),
  core("answers HEAD without a URL, and does not count it", async (t) => {
    const { file_path } = await t.cleanFile();
    const { url } = await t.link({ file_path, max_downloads: 1 });
    const head = await t.visit(url, { method: "HEAD" });
    head.hasStatus(302);
    head.must("no header Location", head.headers.get("location") === null);
    await isHandedOut(t, url);
  }),
  core("is over as soon as it is revoked", async (t) => {
    const { file_path } = await t.cleanFile();
    const { url, ...link } = await t.link({ file_path });
    const { link_id } = link;
    const tenant_id = await t.ownTenant();
    for (const owner of [{ tenant_id }, { file_path: `${file_path}x` }])
      (await t.post("links/revoke", { link_id, ...owner })).refused(...NOT_FOUND);
    (await t.post("links/revoke", { link_id, file_path })).ok(exactly(link));
    (await t.post("links/revoke", { link_id })).refused(...NOT_FOUND);
    (await t.visit(url)).refused(...NOT_FOUND);
    (await t.get("links", { file_path })).ok({ links: [] });
  }),
  core("with a password asks for it on a page without scripts", async (t) => {
    const { file_path } = await t.cleanFile({ filename: "secret name.txt" });
    const { url } = await t.link({ file_path, password: PASSWORD });
    for (const form of [undefined, { password: "wrong password" }]) {
      const page = await t.visit(url, {}, form);
      page.hasStatus(form === undefined ? 200 : 403);
      page.hasHeader("content-type", /^text\/html/);
      page.hasHeader("content-security-policy", /default-src 'none'/);
      page.must("a form", page.text.includes("<form"));
      page.must("no script and no name", !/<script|secret name/.test(page.text));
    }
    await isHandedOut(t, url, { password: PASSWORD });
    (await t.get("links", { file_path })).ok({ links: [{ has_password: true, downloads: 1 }] });
  }),
  core("does not work while its file is gone", async (t) => {
    const { file_path } = await t.cleanFile();
    const { url } = await t.link({ file_path });
    (await t.post("delete", { file_path })).ok();
    (await t.visit(url)).refused(...NOT_FOUND);
  }),
  core("cannot be guessed, and is created for stored files of the tenant alone", async (t) => {
    const unknown = `x/${"a".repeat(44)}`;
    (await t.visit(unknown)).refused(...NOT_FOUND);
    const { file_path } = await t.stored();
    const tenant_id = await t.ownTenant();
    const notFound = [404, "file_not_found", "File not found"] as const;
    (await t.post("links", { file_path, tenant_id })).refused(...notFound);
    (await t.post("links", { file_path: (await t.upload()).file_path })).refused(...notFound);
    (await t.get("links", { file_path, tenant_id })).ok({ links: [] });
  }),
  ...(
    [
      ["no file_path", {}, "file_path is required"],
      ["an end too soon", { expires_after: 59 }, "expires_after must be at least 60 seconds"],
      ["no download", { max_downloads: 0 }, "max_downloads must be at least 1"],
      ["a short password", { password: "1234567" }, "password must be at least 8 characters"],
      ["another disposition", { disposition: "x" }, "disposition must be one of attachment, inline"],
    ] as const
  ).map(([what, body, detail]) =>
    core(`with ${what} is refused`, async (t) => {
      const path = what === "no file_path" ? {} : { file_path: "x" };
      (await t.post("links", { ...path, ...body })).refused(400, "invalid_request", detail);
    }),
  ),
  core("is listed for a tenant or a file", async (t) => {
    (await t.get("links")).refused(400, "invalid_request", "tenant_id or file_path is required");
    (await t.post("links/revoke", {})).refused(400, "invalid_request", "link_id is required");
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    const [first, second] = [await t.link({ file_path }), await t.link({ file_path })];
    const query = { tenant_id, limit: 1 };
    const page = (await t.get("links", query)).ok<{ next_cursor: string }>({
      links: [{ link_id: second.link_id }],
      next_cursor: aText,
    });
    (await t.get("links", { ...query, cursor: page.next_cursor })).ok({
      links: [{ link_id: first.link_id }],
      next_cursor: null,
    });
  }),
]);

/** Expects a redirect to a URL of storage that no cache and no referrer keeps, and that reads the file. */
async function isHandedOut(t: Context, url: string, form?: Record<string, string>): Promise<void> {
  const answer = await t.visit(url, {}, form);
  answer.hasStatus(302);
  answer.hasHeader("cache-control", "no-store");
  answer.hasHeader("referrer-policy", "no-referrer");
  answer.hasHeader("location", /^https?:/);
  const bytes = await t.read(answer.headers.get("location")!);
  bytes.must("the bytes hello", bytes.status === 200 && bytes.text === "hello");
}
