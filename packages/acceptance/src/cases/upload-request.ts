import { core, full, smoke, topic } from "../case.js";
import { aNumber, aText, aTime, aUrl, exactly } from "../expect/match.js";
import type { Upload } from "../wire.js";

const HOUR_MS = 3_600_000;
const CLOCK_TOLERANCE_MS = 120_000;
const long = "x".repeat(256);
const required = (member: string) => [`${member}_required`, `${member} is required`] as const;
const invalid = (detail: string) => ["invalid_request", detail] as const;

/** The member that is changed, its value, the code and the detail of the refusal. */
const refusals: [string, Record<string, unknown>, readonly [string, string]][] = [
  ["no filename", { filename: undefined }, required("filename")],
  ["a null filename", { filename: null }, required("filename")],
  ["an empty filename", { filename: "" }, required("filename")],
  ["a blank filename", { filename: " \u3000 " }, required("filename")],
  ["a filename that is an object", { filename: {} }, invalid("filename must be a string")],
  ["a filename of 256 characters", { filename: long }, invalid("filename must be at most 255 characters")],
  [
    "a filename with a line break",
    { filename: "a\nb" },
    invalid("filename must not contain control characters"),
  ],
  [
    "a filename with a C1 control character",
    { filename: "a\u0085b" },
    invalid("filename must not contain control characters"),
  ],
  ["neither filename nor tenant_id", { filename: undefined, tenant_id: undefined }, required("filename")],
  ["no tenant_id", { tenant_id: undefined }, required("tenant_id")],
  ["a null tenant_id", { tenant_id: null }, required("tenant_id")],
  ["an empty tenant_id", { tenant_id: "" }, required("tenant_id")],
  ["a blank tenant_id", { tenant_id: "  " }, required("tenant_id")],
  ["a tenant_id that is a number", { tenant_id: 7 }, invalid("tenant_id must be a string")],
  ["a tenant_id of 256 characters", { tenant_id: long }, invalid("tenant_id must be at most 255 characters")],
  ["a tenant_id with NUL", { tenant_id: "a\0b" }, invalid("tenant_id must not contain control characters")],
  ["a tenant_id that is no Unicode", { tenant_id: "\ud800" }, invalid("tenant_id must be valid Unicode")],
  [
    "a content_type without a slash",
    { content_type: "png" },
    invalid('content_type must be a media type like "image/png"'),
  ],
  [
    "a content_type with a line break",
    { content_type: "a/b\r\nX: y" },
    invalid("content_type must not contain control characters"),
  ],
  [
    "a content_type of 128 characters",
    { content_type: `a/${"b".repeat(126)}` },
    invalid("content_type must be at most 127 characters"),
  ],
  ["a content_type that is a number", { content_type: 1 }, invalid("content_type must be a string")],
  ["a negative size", { size: -1 }, invalid("size must be at least 0 bytes")],
  ["half a byte", { size: 1.5 }, invalid("size must be a whole number of bytes")],
  ["a size that is a text", { size: "5" }, invalid("size must be a whole number of bytes")],
  [
    "a content_md5 that is none",
    { content_md5: "abc" },
    invalid("content_md5 must be a base64 MD5 of 24 characters"),
  ],
  ["metadata that is a list", { metadata: ["a"] }, invalid("metadata must be an object")],
  ["metadata with NUL", { metadata: { a: "\0" } }, invalid("metadata must not contain control characters")],
  ["metadata with a number", { metadata: { a: 1 } }, invalid("metadata members must be strings")],
  [
    "17 members of metadata",
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, ""])) },
    invalid("metadata must have at most 16 members"),
  ],
  [
    "metadata above 2 KiB",
    { metadata: { a: "é".repeat(1024) } },
    invalid("metadata must be at most 2048 bytes"),
  ],
];

/** `POST /api/storage/upload/` */
export const uploadRequestCases = topic("an upload request", [
  smoke("is answered with everything that the sender needs", async (t) => {
    const answer = await t.requestUpload({ filename: "report.pdf", size: 12 });
    const upload = answer.ok<Upload>(
      exactly({
        presigned_url: aUrl,
        file_path: aText,
        tenant_id: t.tenant,
        is_new_tenant: false,
        content_type: "application/pdf",
        headers: { "Content-Type": "application/pdf" },
        expires_at: aTime,
        max_bytes: 12,
      }),
    );
    answer.must("Content-Type as the first of headers", Object.keys(upload.headers)[0] === "Content-Type");
  }),
  core("is answered with a URL for one hour", async (t) => {
    const answer = await t.requestUpload();
    const { expires_at } = answer.ok<Upload>();
    const lifetimeMs = Date.parse(expires_at) - Date.now();
    const isAnHour = Math.abs(lifetimeMs - HOUR_MS) < CLOCK_TOLERANCE_MS;
    answer.must("an expires_at one hour from now, by this machine's clock", isAnHour, expires_at);
  }),
  core("is answered with a URL that contains no API key", async (t) => {
    const answer = await t.requestUpload();
    const { presigned_url } = answer.ok<Upload>();
    answer.must("no stow_live_ in presigned_url", !presigned_url.includes("stow_live_"));
  }),
  core(
    "is answered with the largest size if it names none",
    async (t) => {
      (await t.requestUpload({ size: undefined })).ok({ max_bytes: aNumber });
    },
    ["unknownSize"],
  ),
  core(
    "may be as large as the project allows and no larger",
    async (t) => {
      const max = t.facts.maxFileBytes ?? 0;
      const tenant_id = await t.ownTenant();
      await t.setQuota(tenant_id, 10 * max);
      (await t.requestUpload({ tenant_id, size: max })).ok({ max_bytes: max });
      const refused = await t.requestUpload({ tenant_id, size: max + 1 });
      refused.refused(400, "file_too_large", `size must be at most ${max} bytes`);
    },
    ["unknownSize"],
  ),
  core("reports a new tenant once", async (t) => {
    const tenant_id = await t.ownTenant(" Ünï-cødé 🙂");
    for (const is_new_tenant of [true, false])
      (await t.requestUpload({ tenant_id })).ok({ tenant_id, is_new_tenant });
  }),
  full("reports a new tenant once to many at the same time", async (t) => {
    const tenant_id = await t.ownTenant();
    const answers = await Promise.all(Array.from({ length: 20 }, () => t.requestUpload({ tenant_id })));
    const uploads = answers.map((answer) => answer.ok<Upload>());
    const reports = uploads.filter(({ is_new_tenant }) => is_new_tenant).length;
    answers[0]!.must("is_new_tenant in exactly one of 20 answers", reports === 1, `it in ${reports}`);
  }),
  core("compares a tenant_id byte for byte", async (t) => {
    for (const suffix of ["é", "e\u0301", "A", "a", "a ", "🙂"]) {
      const tenant_id = await t.ownTenant(suffix);
      (await t.requestUpload({ tenant_id })).ok({ tenant_id, is_new_tenant: true });
    }
  }),
  core("gets a path of its own, which does not contain the tenant's ID", async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => t.requestUpload({ filename: "same.txt" })),
    );
    const paths = answers.map((answer) => answer.ok<Upload>().file_path);
    const shape = /^projects\/[0-9A-Za-z]+\/tenants\/[0-9A-Za-z]+\/[0-9A-Za-z]+_same\.txt$/;
    for (const [index, path] of paths.entries()) {
      answers[index]!.must("a file_path like projects/…/tenants/…/…_same.txt", shape.test(path), path);
      answers[index]!.must("no tenant_id in file_path", !path.includes(t.tenant), path);
    }
    answers[0]!.must("five different paths", new Set(paths).size === 5, paths.join());
  }),
  ...(
    [
      ["photo.JPG", "image/jpeg"],
      ["archive.tar.gz", "application/gzip"],
      ["page.html", "text/html"],
      ["no-extension", "application/octet-stream"],
      ["odd.zzzz", "application/octet-stream"],
    ] as const
  ).map(([filename, content_type]) =>
    core(`for ${filename} gets the type ${content_type}`, async (t) => {
      (await t.requestUpload({ filename })).ok({ content_type, headers: { "Content-Type": content_type } });
      (await t.requestUpload({ filename, content_type: null })).ok({ content_type });
    }),
  ),
  core("keeps a given type with its parameters", async (t) => {
    const content_type = 'text/plain; charset="utf-8"; Format=flowed';
    const upload = await t.upload({ filename: "a.png", content_type });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.get("file", { file_path: upload.file_path })).ok({ content_type });
  }),
  ...(
    [
      ["Report_v2.final-1.PDF", "Report_v2.final-1.PDF"],
      ["two  spaces and (1).pdf", "two_spaces_and_1_.pdf"],
      ["../../etc/passwd", ".._.._etc_passwd"],
      ["..", ".."],
      ["a/b\\c:d*e?f.txt", "a_b_c_d_e_f.txt"],
      ["Übergröße-日本語-🙂.txt", "Übergröße-日本語-_.txt"],
      ["हिन्दी.txt", "हिन्दी.txt"],
      ["e\u0301.txt", "\u00e9.txt"],
      [".hidden", ".hidden"],
    ] as const
  ).map(([filename, ending]) =>
    core(`for ${JSON.stringify(filename)} gets a path that is safe`, async (t) => {
      const answer = await t.requestUpload({ filename });
      const parts = answer.ok<Upload>().file_path.split("/");
      const isSafe = parts.length === 5 && parts[4]!.replace(/^[0-9A-Za-z]+_/, "") === ending;
      answer.must(`a path of five parts that ends in ${ending}`, isSafe, parts.join("/"));
    }),
  ),
  core("takes the longest name, which storage accepts", async (t) => {
    const filename = `${"𠮷".repeat(250)}.jpeg`;
    const answer = await t.requestUpload({ filename });
    const upload = answer.ok<Upload>();
    const bytes = Buffer.byteLength(upload.file_path);
    answer.must(
      "a path of at most 1,024 bytes with the extension",
      bytes <= 1024 && upload.file_path.endsWith(".jpeg"),
    );
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.get("file", { file_path: upload.file_path })).ok({ filename });
  }),
  ...refusals.map(([what, change, [code, detail]]) =>
    core(`with ${what} is refused`, async (t) => (await t.requestUpload(change)).refused(400, code, detail)),
  ),
]);
