import { core, topic } from "../case.js";
import type { Context } from "../context.js";
import { Failure } from "../expect/failure.js";
import { aUrl } from "../expect/match.js";
import type { FileRecord } from "../wire.js";

const NOT_SET_UP = "Public files are not set up";
const MOVE_LIMIT_MS = 30_000;
const VARIANT_LIMIT_MS = 60_000;

/** `POST /api/storage/visibility/`, and `visibility` of the upload calls. */
export const visibilityCases = topic("visibility", [
  core(
    "public lets everyone read the file, and private ends that",
    async (t) => {
      const { file_path } = await t.cleanFile({ filename: "größe 1.txt" });
      const made = await t.post("visibility", { file_path, visibility: "public" });
      const { public_url } = made.ok<{ public_url: string }>({ visibility: "public", public_url: aUrl });
      const bytes = await t.read(public_url);
      bytes.must("the bytes hello, without a signature", bytes.status === 200 && bytes.text === "hello");
      (await t.get("file", { file_path })).ok({ visibility: "public", public_url });
      (await t.post("visibility", { file_path, visibility: "private" })).ok({ file_path });
      await t.eventually(MOVE_LIMIT_MS, async () => (await t.read(public_url)).hasStatus(403, 404));
      const file = await t.get("file", { file_path });
      file.must("no member public_url", !("public_url" in file.ok<object>()));
    },
    ["publicFiles"],
  ),
  core(
    "public of an upload is effective once it is stored",
    async (t) => {
      const upload = await t.upload({ filename: "a.png", visibility: "public" });
      (await t.putBytes(upload, "hello")).hasStatus(200);
      const { file_path } = await t.complete(upload.file_path);
      await t.allowDownload(file_path);
      let public_url = "";
      await t.eventually(MOVE_LIMIT_MS, async () => {
        ({ public_url = "" } = (await t.get("file", { file_path })).ok<FileRecord>({ public_url: aUrl }));
      });
      (await t.read(public_url)).hasStatus(200);
    },
    ["publicFiles"],
  ),
  core(
    "public is refused for types that a browser runs",
    async (t) => {
      const { file_path } = await t.stored({ filename: "page.html" });
      (await t.post("visibility", { file_path, visibility: "public" })).refused(400, "invalid_request");
      (await t.requestUpload({ filename: "page.html", visibility: "public" })).refused(
        400,
        "invalid_request",
      );
    },
    ["publicFiles"],
  ),
  core(
    "public is refused where it is not set up",
    async (t) => {
      const { file_path } = await t.stored();
      (await t.post("visibility", { file_path, visibility: "public" })).refused(
        400,
        "invalid_request",
        NOT_SET_UP,
      );
      (await t.requestUpload({ visibility: "public" })).refused(400, "invalid_request", NOT_SET_UP);
      (await t.requestOpenUpload({ visibility: "public" })).refused(400, "invalid_request", NOT_SET_UP);
      (await t.post("visibility", { file_path, visibility: "private" })).ok({ file_path });
    },
    ["noPublicFiles"],
  ),
  ...(
    [
      ["no file_path", { visibility: "public" }, "file_path is required"],
      ["no value", { file_path: "x" }, "visibility is required"],
      ["the value null", { file_path: "x", visibility: null }, "visibility must be private or public"],
      ["another value", { file_path: "x", visibility: "secret" }, "visibility must be private or public"],
    ] as const
  ).map(([what, body, detail]) =>
    core(`with ${what} is refused`, async (t) =>
      (await t.post("visibility", body)).refused(400, "invalid_request", detail),
    ),
  ),
]);

/** `POST /api/storage/scan-result/`, and files that wait for it. */
export const scanCases = topic("a scan", [
  core(
    "is not reported for a project that does not scan",
    async (t) => {
      const { file_path, scan_status } = await t.stored();
      const answer = await t.post("scan-result", { file_path, verdict: "clean" });
      answer.refused(400, "invalid_request", "The project's setting scan is not external");
      answer.must("the scan_status none", scan_status === "none", scan_status);
    },
    ["noScan"],
  ),
  core(
    "has to find a file clean before it is downloaded",
    async (t) => {
      const { file_path, etag, scan_status } = await t.stored();
      const refused = await t.post("download", { file_path });
      refused.refused(403, "file_not_scanned", "File has not been scanned yet");
      refused.must("the scan_status pending", scan_status === "pending", scan_status);
      (await t.post("scan-result", { file_path, verdict: "clean", etag })).ok({ scan_status: "clean" });
      (await t.post("download", { file_path })).ok({ presigned_url: aUrl });
    },
    ["externalScan"],
  ),
  core(
    "that finds something keeps the file in quarantine",
    async (t) => {
      const { file_path } = await t.stored();
      const report = { file_path, verdict: "infected", signature: "Eicar-Test" };
      (await t.post("scan-result", report)).ok({ scan_status: "infected" });
      (await t.post("download", { file_path })).refused(403, "file_quarantined", "File is quarantined");
      const many = await t.post("downloads", { file_paths: [file_path] });
      many.ok({ downloads: [], refused: [{ file_path, code: "file_quarantined" }] });
    },
    ["externalScan"],
  ),
  core(
    "of other bytes is refused",
    async (t) => {
      const { file_path } = await t.stored();
      const answer = await t.post("scan-result", { file_path, verdict: "clean", etag: "0".repeat(32) });
      answer.refused(409, "scan_outdated", "File has changed since it was scanned");
    },
    ["externalScan"],
  ),
  core(
    "needs a verdict",
    async (t) => {
      const { file_path } = await t.stored();
      for (const verdict of [undefined, "fine"])
        (await t.post("scan-result", { file_path, verdict })).refused(400, "invalid_request");
    },
    ["externalScan"],
  ),
]);

/** A PNG of 4 x 4 pixels. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQI12MwWJAARwzEcQDrQxMBRqKuHAAAAABJRU5ErkJggg==",
  "base64",
);

/** `variant` of the download calls. */
export const variantCases = topic("an image variant", [
  core("of an unknown preset is refused", async (t) => {
    const { file_path } = await t.cleanFile({ filename: "a.png", bytes: PNG });
    const answer = await t.post("download", { file_path, variant: "no-such-preset" });
    answer.refused(404, "preset_not_found", "Image preset not found");
  }),
  core(
    "of an image is made, and can be read",
    async (t) => {
      const { file_path } = await t.cleanFile({ filename: "a.png", bytes: PNG });
      const body = { file_path, variant: t.facts.preset, disposition: "inline" };
      let url = "";
      await t.eventually(VARIANT_LIMIT_MS, async () => {
        const answer = await t.post("download", body);
        if (answer.status === 409) answer.hasHeader("retry-after", /^\d+$/);
        url = answer.ok<{ presigned_url: string }>({ presigned_url: aUrl }).presigned_url;
      });
      const image = await t.read(url);
      image.hasStatus(200);
      image.hasHeader("content-type", /^image\//);
    },
    ["preset"],
  ),
  core(
    "of a file that is no image is refused",
    async (t) => {
      const { file_path } = await t.cleanFile({ filename: "a.png", bytes: "no image" });
      await t.eventually(VARIANT_LIMIT_MS, async () => {
        const answer = await t.post("download", { file_path, variant: t.facts.preset });
        answer.refused(415, "variant_impossible", "File has no such variant");
      });
    },
    ["preset"],
  ),
]);

/** What a browser asks storage, and its page may read. */
export const corsCases = topic(
  "a page of your origin",
  [
    core("may upload to storage", async (t) => {
      const upload = await t.upload();
      const headers = Object.keys(upload.headers).map((name) => name.toLowerCase());
      await isAllowed(t, upload.presigned_url, "PUT", headers);
    }),
    core("may read the answer to its PUT", async (t) => {
      const upload = await t.upload();
      const origin = t.facts.origin!;
      const answer = await t.putBytes(upload, "hello", { ...upload.headers, Origin: origin });
      answer.hasStatus(200);
      answer.hasHeader("access-control-allow-origin", allowed(origin), { kind: "cors", origin });
    }),
    core(
      "may upload parts to storage",
      async (t) => {
        const { file_path } = await t.openUpload();
        const [part] = await t.signParts(file_path, [{ number: 1 }]);
        await isAllowed(t, part!.presigned_url, "PUT", []);
      },
      ["multipart"],
    ),
    core(
      "may read the ETag of a part, which it needs to resume",
      async (t) => {
        const { file_path } = await t.openUpload();
        const [part] = await t.signParts(file_path, [{ number: 1 }]);
        const origin = t.facts.origin!;
        const answer = await t.putBytes(part!, "end", { ...part!.headers, Origin: origin });
        answer.hasStatus(200);
        answer.hasHeader("access-control-expose-headers", /etag|\*/i, { kind: "cors", origin });
      },
      ["multipart"],
    ),
    core("may read a download", async (t) => {
      const { file_path } = await t.cleanFile();
      const { presigned_url } = await t.download({ file_path });
      const origin = t.facts.origin!;
      const answer = await t.read(presigned_url, { Origin: origin });
      answer.hasStatus(200);
      answer.hasHeader("access-control-allow-origin", allowed(origin), { kind: "cors", origin });
    }),
  ],
  ["cors"],
);

const allowed = (origin: string) => new RegExp(`^(\\*|${origin.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")})$`);

/** Expects that storage answers a preflight as a browser needs it. */
async function isAllowed(t: Context, url: string, method: string, headers: string[]): Promise<void> {
  const origin = t.facts.origin!;
  const sent = {
    Origin: origin,
    "Access-Control-Request-Method": method,
    ...(headers.length > 0 && { "Access-Control-Request-Headers": headers.join(",") }),
  };
  const hint = { kind: "cors", origin } as const;
  const answer = await t.read(url, sent, "OPTIONS");
  if (answer.status !== 200 && answer.status !== 204)
    throw new Failure({
      asked: answer.asked,
      expected: "status 200 or 204",
      got: answer.summary,
      answer,
      hint,
    });
  answer.hasHeader("access-control-allow-origin", allowed(origin), hint);
  answer.hasHeader("access-control-allow-methods", new RegExp(`\\b${method}\\b|\\*`), hint);
  for (const name of headers)
    answer.hasHeader("access-control-allow-headers", new RegExp(`(^|[ ,])${name}($|[ ,])|\\*`, "i"), hint);
}
