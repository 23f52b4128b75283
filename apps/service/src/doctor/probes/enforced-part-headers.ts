import { createHash } from "node:crypto";
import { presignSamplePart, type Probe, type ProbeContext, SAMPLE, uploadSampleParts } from "../probe.js";
import { expectRefusal } from "./expect-refusal.js";

const SAMPLE_BYTES = Buffer.byteLength(SAMPLE);

export const partLength: Probe = {
  name: "Part length enforced",
  run: (context) =>
    expectRefusedPart(context, {
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
    expectRefusedPart(context, {
      contentMd5: createHash("md5").update(SAMPLE).digest("base64"),
      body: SAMPLE.toUpperCase(),
      ifAccepted: {
        found: "storage accepts a part whose bytes do not match the signed MD5",
        whatToDo: "Do not rely on content_md5 of parts with this storage: verify the bytes after the upload.",
      },
    }),
};

async function expectRefusedPart(
  context: ProbeContext,
  attempt: { contentMd5?: string; body: string; ifAccepted: { found: string; whatToDo: string } },
) {
  const { contentMd5, body, ifAccepted } = attempt;
  const upload = await uploadSampleParts(context);
  const url = await presignSamplePart(context, upload, { number: 1, sizeBytes: SAMPLE_BYTES, contentMd5 });
  const headers: Record<string, string> = contentMd5 === undefined ? {} : { "Content-MD5": contentMd5 };
  const isStored = async () => ((await context.store.listParts(upload, 0))?.parts.length ?? 0) > 0;
  return expectRefusal(context, {
    url,
    isStored,
    ifAccepted,
    wrong: { headers, body },
    right: { headers, body: SAMPLE },
  });
}

/** Whether the ETag of a part is its MD5. It is not if storage encrypts with SSE-KMS or SSE-C. */
export const partEtag: Probe = {
  name: "Part ETag",
  async run(context) {
    const upload = await uploadSampleParts(context, 1);
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
