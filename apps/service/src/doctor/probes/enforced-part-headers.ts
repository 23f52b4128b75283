import { createHash } from "node:crypto";
import { describe, isSuccess, presignSamplePart, type Probe, type ProbeContext, SAMPLE } from "../probe.js";

const SAMPLE_BYTES = Buffer.byteLength(SAMPLE);

export const partLength: Probe = {
  name: "Part length enforced",
  run: (context) =>
    expectRefusal(context, {
      body: `${SAMPLE}and more`,
      ifAccepted: {
        found: "storage accepts a part that is larger than the signed size",
        whatToDo:
          "Use storage that enforces signed headers. With this one, uploads that are already running can exceed a quota.",
      },
    }),
};

export const partMd5: Probe = {
  name: "Part MD5 enforced",
  run: (context) =>
    expectRefusal(context, {
      contentMd5: createHash("md5").update(SAMPLE).digest("base64"),
      body: SAMPLE.toUpperCase(),
      ifAccepted: {
        found: "storage accepts a part whose bytes do not match the signed MD5",
        whatToDo: "Do not rely on content_md5 of parts with this storage: verify the bytes after the upload.",
      },
    }),
};

/** Sends a part that differs from the signed one in a single respect. Storage must refuse it. */
async function expectRefusal(
  context: ProbeContext,
  attempt: { contentMd5?: string; body: string; ifAccepted: { found: string; whatToDo: string } },
) {
  const { contentMd5, body, ifAccepted } = attempt;
  const upload = await context.startUpload();
  const url = await presignSamplePart(context, upload, { number: 1, sizeBytes: SAMPLE_BYTES, contentMd5 });
  const headers = contentMd5 === undefined ? {} : { "Content-MD5": contentMd5 };
  const response = await context.send(url, { method: "PUT", headers, body });
  if (isSuccess(response)) return { verdict: "warn" as const, ...ifAccepted };
  return {
    verdict: "ok" as const,
    found: `storage refuses a different value (${describe(response)})`,
    whatToDo: null,
  };
}

/** Whether the ETag of a part is its MD5. It is not if storage encrypts with SSE-KMS or SSE-C. */
export const partEtag: Probe = {
  name: "Part ETag",
  async run(context) {
    const upload = await context.startUpload();
    const url = await presignSamplePart(context, upload, { number: 1, sizeBytes: SAMPLE_BYTES });
    await context.send(url, { method: "PUT", body: SAMPLE });
    const etag = (await context.store.listParts(upload, 0))?.parts[0]?.etag;
    if (etag === createHash("md5").update(SAMPLE).digest("hex"))
      return { verdict: "ok", found: "the ETag of a part is its MD5", whatToDo: null };
    return {
      verdict: "info",
      found: "the ETag of a part is not its MD5",
      whatToDo:
        "An upload that is resumed then sends stored parts again, or compares only sizes and samples of the file. Storage answers MD5s if it encrypts with SSE-S3 or not at all.",
    };
  },
};
