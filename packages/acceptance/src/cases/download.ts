import { core, smoke, topic } from "../case.js";
import { aText, aTime, aUrl, exactly } from "../expect/match.js";
import type { Download } from "../wire.js";

const HOUR_MS = 3_600_000;
const CLOCK_TOLERANCE_MS = 120_000;
/** With this lifetime a window of `reuse` is three and a half days, so none ends during a case. */
const REUSABLE = { reuse: true, expires_in: 604_800 };

/** How a browser gets a file of this type that is requested inline. */
const types = [
  ["photo.png", "image/png", "inline", "image/png"],
  ["paper.pdf", "application/pdf", "inline", "application/pdf"],
  ["song.mp3", "audio/mpeg", "inline", "audio/mpeg"],
  ["notes.zip", "application/zip", "attachment", "application/zip"],
  ["page.html", "text/html", "attachment", "application/octet-stream"],
  ["drawing.svg", "image/svg+xml", "attachment", "application/octet-stream"],
  ["code.js", "text/javascript", "attachment", "application/octet-stream"],
] as const;

/** `POST /api/storage/download/`, and the GET of its URL. */
export const downloadCases = topic("a download", [
  smoke("gives the bytes back, as an attachment with the file's name", async (t) => {
    const { file_path } = await t.cleanFile({ filename: "hello.txt" });
    const answer = await t.post("download", { file_path, tenant_id: t.tenant });
    const { presigned_url } = answer.ok<Download>(
      exactly({
        presigned_url: aUrl,
        file_path,
        filename: "hello.txt",
        content_type: "text/plain",
        size: 5,
        expires_at: aTime,
      }),
    );
    const bytes = await t.read(presigned_url);
    bytes.hasStatus(200);
    bytes.must("the bytes hello", bytes.text === "hello");
    bytes.hasHeader("content-type", /^text\/plain/);
    bytes.hasHeader("content-disposition", /^attachment; ?filename="?hello\.txt"?/);
  }),
  core("has the exact name, in any script", async (t) => {
    const filename = 'Übersicht "50%" 見積書 🙂 שלום.txt';
    const { file_path } = await t.cleanFile({ filename });
    const answer = await t.read((await t.download({ file_path })).presigned_url);
    answer.hasStatus(200);
    const disposition = answer.headers.get("content-disposition") ?? "";
    const [, encoded = ""] = /filename\*=UTF-8''([^;]*)/i.exec(disposition) ?? [];
    answer.must(
      `a Content-Disposition with ${filename}`,
      decodeURIComponent(encoded) === filename,
      disposition,
    );
  }),
  ...types.map(([filename, content_type, disposition, delivered]) =>
    core(`of ${content_type} that is requested inline comes as ${disposition}`, async (t) => {
      const { file_path } = await t.cleanFile({ filename, content_type });
      const answer = await t.read((await t.download({ file_path, disposition: "inline" })).presigned_url);
      answer.hasStatus(200);
      answer.hasHeader("content-disposition", new RegExp(`^${disposition}`));
      answer.hasHeader("content-type", delivered);
    }),
  ),
  core("uses the name and the lifetime of the request", async (t) => {
    const { file_path } = await t.cleanFile();
    const answer = await t.post("download", { file_path, filename: "Rechnung 7.txt", expires_in: 7200 });
    const { presigned_url, expires_at } = answer.ok<Download>({
      filename: "Rechnung 7.txt",
      expires_at: aText,
    });
    const isLate = Math.abs(Date.parse(expires_at) - Date.now() - 2 * HOUR_MS) < CLOCK_TOLERANCE_MS;
    answer.must("an expires_at two hours from now, by this machine's clock", isLate, expires_at);
    (await t.read(presigned_url)).hasHeader("content-disposition", /^attachment;.*Rechnung 7\.txt/);
    const longest = await t.download({ file_path, filename: "🙂".repeat(255) });
    (await t.read(longest.presigned_url)).hasStatus(200);
  }),
  core("can be read in part", async (t) => {
    const { file_path } = await t.cleanFile({ bytes: "0123456789" });
    const { presigned_url } = await t.download({ file_path });
    const part = await t.read(presigned_url, { Range: "bytes=2-5" });
    part.hasStatus(206);
    part.must("the bytes 2345", part.text === "2345");
    part.hasHeader("content-range", "bytes 2-5/10");
    const rest = await t.read(presigned_url, { Range: "bytes=7-" });
    rest.must("the bytes 789", rest.status === 206 && rest.text === "789");
    (await t.read(presigned_url, { Range: "bytes=20-" })).hasStatus(416);
  }),
  core("is refused with a URL that was changed", async (t) => {
    const { file_path } = await t.cleanFile();
    const { presigned_url } = await t.download({ file_path });
    for (const [from, to] of [
      ["=attachment", "=inline"],
      ["=text%2Fplain", "=text%2Fhtml"],
    ] as const)
      (await t.read(presigned_url.replace(from, to))).hasStatus(403);
    const other = await t.cleanFile();
    (await t.read(presigned_url.replace(file_path, other.file_path))).hasStatus(403);
  }),
  core("is refused after its URL has expired", async (t) => {
    const { file_path } = await t.cleanFile();
    const { presigned_url } = await t.download({ file_path, expires_in: 1 });
    await t.eventually(20_000, async () => (await t.read(presigned_url)).hasStatus(403));
  }),
  core("with reuse has the same URL again, which caches may keep", async (t) => {
    const { file_path } = await t.cleanFile();
    const { presigned_url } = await t.download({ file_path, ...REUSABLE });
    const again = await t.post("download", { file_path, ...REUSABLE });
    again.must("the same presigned_url", again.ok<Download>().presigned_url === presigned_url);
    const bytes = await t.read(presigned_url);
    bytes.hasStatus(200);
    bytes.hasHeader("cache-control", /^public/);
    bytes.hasHeader("etag", /./);
    (await t.read(presigned_url, { "If-None-Match": bytes.headers.get("etag")! })).hasStatus(304);
  }),
  core("is refused before the bytes have arrived, and for unknown files", async (t) => {
    const { file_path } = await t.upload();
    for (const path of [file_path, "projects/none"])
      (await t.post("download", { file_path: path })).refused(404, "file_not_found", "File not found");
  }),
  core("is refused with options that do not exist", async (t) => {
    const { file_path } = await t.stored();
    for (const options of [
      { expires_in: 0 },
      { expires_in: 604_801 },
      { disposition: "show" },
      { reuse: "yes" },
      { filename: "a\nb" },
    ])
      (await t.post("download", { file_path, ...options })).refused(400, "invalid_request");
  }),
]);

/** `POST /api/storage/downloads/` */
export const downloadsCases = topic("downloads of many files", [
  core("are answered in the order of the request, each once", async (t) => {
    const files = await Promise.all(["a", "b"].map((bytes) => t.cleanFile({ bytes })));
    const [a, b] = files.map(({ file_path }) => file_path) as [string, string];
    const answer = await t.post("downloads", { file_paths: [b, "projects/none", a, b], tenant_id: t.tenant });
    const { downloads } = answer.ok<{ downloads: Download[] }>({
      downloads: [{ file_path: b }, { file_path: a }],
      not_found: ["projects/none"],
    });
    for (const [index, text] of ["b", "a"].entries()) {
      const bytes = await t.read(downloads[index]!.presigned_url);
      bytes.must(`the bytes ${text}`, bytes.status === 200 && bytes.text === text);
    }
  }),
  core("have the URL that a single download has, with reuse", async (t) => {
    const { file_path } = await t.cleanFile();
    const { presigned_url } = await t.download({ file_path, ...REUSABLE });
    const answer = await t.post("downloads", { file_paths: [file_path], ...REUSABLE });
    const { downloads } = answer.ok<{ downloads: Download[] }>({ downloads: [{ file_path }] });
    answer.must("the URL of the single download", downloads[0]!.presigned_url === presigned_url);
  }),
  ...(
    [
      ["no file_paths", {}, "file_paths is required"],
      ["an empty list", { file_paths: [] }, "file_paths must have at least 1 path"],
      [
        "101 paths",
        { file_paths: Array.from({ length: 101 }, (_, index) => `${index}`) },
        "file_paths must have at most 100 paths",
      ],
    ] as const
  ).map(([what, body, detail]) =>
    core(`are refused with ${what}`, async (t) =>
      (await t.post("downloads", body)).refused(400, "invalid_request", detail),
    ),
  ),
]);
