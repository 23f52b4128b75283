import { createHash } from "node:crypto";
import {
  describe,
  isSuccess,
  presignSample,
  type Probe,
  type ProbeContext,
  type ProbeResult,
  SAMPLE,
  SAMPLE_TYPE,
  uploadSample,
} from "../probe.js";

export const contentType: Probe = {
  name: "Content-Type enforced",
  run: (context) =>
    expectRefusal(context, {
      signed: {},
      headers: { "Content-Type": "text/html" },
      body: SAMPLE,
      ifAccepted: {
        found: "storage accepts an upload with another type than the signed one",
        whatToDo:
          "Do not trust the type of a stored object. Serve downloads only through Stowage's URLs, which set the type themselves.",
      },
    }),
};

export const contentLength: Probe = {
  name: "Content-Length enforced",
  run: (context) =>
    expectRefusal(context, {
      signed: { sizeBytes: Buffer.byteLength(SAMPLE) },
      headers: { "Content-Type": SAMPLE_TYPE },
      body: `${SAMPLE}and more`,
      ifAccepted: {
        found: "storage accepts an upload that is larger than the signed size",
        whatToDo:
          "Use storage that enforces signed headers. With this one, uploads that are already running can exceed a quota.",
      },
    }),
};

export const contentMd5: Probe = {
  name: "Content-MD5 enforced",
  run(context) {
    const md5 = createHash("md5").update(SAMPLE).digest("base64");
    return expectRefusal(context, {
      signed: { contentMd5: md5 },
      headers: { "Content-Type": SAMPLE_TYPE, "Content-MD5": md5 },
      body: SAMPLE.toUpperCase(),
      ifAccepted: {
        found: "storage accepts bytes that do not match the signed MD5",
        whatToDo: "Do not rely on content_md5 with this storage: verify the bytes after the upload.",
      },
    });
  },
};

/** Sends a PUT that differs from the signed one in a single respect. Storage must refuse it. */
async function expectRefusal(
  context: ProbeContext,
  attempt: {
    signed: { sizeBytes?: number; contentMd5?: string };
    headers: Record<string, string>;
    body: string;
    ifAccepted: Pick<ProbeResult, "found" | "whatToDo">;
  },
): Promise<ProbeResult> {
  const { signed, headers, body, ifAccepted } = attempt;
  const url = await presignSample(context, context.newPath(), signed);
  const response = await context.send(url, { method: "PUT", headers, body });
  if (isSuccess(response)) return { verdict: "warn", ...ifAccepted };
  return {
    verdict: "ok",
    found: `storage refuses a different value (${describe(response)})`,
    whatToDo: null,
  };
}

/** Whether `If-None-Match: *` keeps a PUT from replacing an object. Stowage does not need it, but a customer's client may. */
export const ifNoneMatch: Probe = {
  name: "If-None-Match",
  async run(context) {
    const { url } = await uploadSample(context);
    const second = await context.send(url, {
      method: "PUT",
      headers: { "Content-Type": SAMPLE_TYPE, "If-None-Match": "*" },
      body: SAMPLE,
    });
    if (second.status === 412) {
      return {
        verdict: "ok",
        found: `storage refuses a second PUT (${describe(second)})`,
        whatToDo: null,
      };
    }
    return {
      verdict: "info",
      found: isSuccess(second)
        ? "storage ignores the header: a second PUT replaces the object"
        : `storage does not support the header (${describe(second)})`,
      whatToDo: "Stowage does not need the header. Do not rely on it in clients of your own.",
    };
  },
};
