import { createHash } from "node:crypto";
import {
  describe,
  isSuccess,
  ok,
  presignSample,
  type Probe,
  type ProbeContext,
  type ProbeResult,
  SAMPLE,
  SAMPLE_HEADERS,
  SAMPLE_TYPE,
  uploadSample,
} from "../probe.js";
import { expectRefusal } from "./expect-refusal.js";

const RIGHT = { headers: SAMPLE_HEADERS, body: SAMPLE };

export const contentType: Probe = {
  name: "Content-Type enforced",
  run: (context) =>
    expectRefusedPut(context, {
      signed: {},
      right: RIGHT,
      wrong: { ...RIGHT, headers: { "Content-Type": "text/html" } },
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
    expectRefusedPut(context, {
      signed: { sizeBytes: Buffer.byteLength(SAMPLE) },
      right: RIGHT,
      wrong: { ...RIGHT, body: `${SAMPLE}and more` },
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
    const right = { headers: { ...RIGHT.headers, "Content-MD5": md5 }, body: SAMPLE };
    return expectRefusedPut(context, {
      signed: { contentMd5: md5 },
      right,
      wrong: { ...right, body: SAMPLE.toUpperCase() },
      ifAccepted: {
        found: "storage accepts bytes that do not match the signed MD5",
        whatToDo: "Do not rely on content_md5 with this storage: verify the bytes after the upload.",
      },
    });
  },
};

type Attempt = Parameters<typeof expectRefusal>[1];

async function expectRefusedPut(
  context: ProbeContext,
  {
    signed,
    ...attempt
  }: Omit<Attempt, "url" | "isStored"> & { signed: { sizeBytes?: number; contentMd5?: string } },
): Promise<ProbeResult> {
  const path = context.newPath();
  const url = await presignSample(context, path, signed);
  const isStored = async () => (await context.store.head(path)) !== null;
  return expectRefusal(context, { url, isStored, ...attempt });
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
    if (second.status === 412) return ok(`storage refuses a second PUT (${describe(second)})`);
    return {
      verdict: "info",
      found: isSuccess(second)
        ? "storage ignores the header: a second PUT replaces the object"
        : `storage does not support the header (${describe(second)})`,
      whatToDo: "Stowage does not need the header. Do not rely on it in clients of your own.",
    };
  },
};
