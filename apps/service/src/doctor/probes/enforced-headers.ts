import { createHash } from "node:crypto";
import type { ProbeResult } from "../probe.js";
import {
  describe,
  isSuccess,
  type ProbeContext,
  presignSample,
  type Probe,
  SAMPLE,
  SAMPLE_TYPE,
} from "../probe.js";

/** A PUT that differs from what was signed in one thing must be refused. */
async function mustRefuse(
  context: ProbeContext,
  attempt: {
    signed: { sizeBytes?: number; contentMd5?: string };
    headers: Record<string, string>;
    body: string;
    accepted: Pick<ProbeResult, "found" | "whatToDo">;
  },
): Promise<ProbeResult> {
  const { signed, headers, body, accepted } = attempt;
  const url = await presignSample(context, context.newPath(), signed);
  const answer = await context.send(url, { method: "PUT", headers, body });
  if (isSuccess(answer)) return { verdict: "warn", ...accepted };
  return { verdict: "ok", found: `another one is refused (${describe(answer)})`, whatToDo: null };
}

export const contentType: Probe = {
  name: "Content-Type enforced",
  run: (context) =>
    mustRefuse(context, {
      signed: {},
      headers: { "Content-Type": "text/html" },
      body: SAMPLE,
      accepted: {
        found: "a file may be stored under another type than the one asked for",
        whatToDo:
          "Trust no stored type: let downloads go through Stowage's URLs alone, which name the type themselves.",
      },
    }),
};

export const contentLength: Probe = {
  name: "Content-Length enforced",
  run: (context) =>
    mustRefuse(context, {
      signed: { sizeBytes: Buffer.byteLength(SAMPLE) },
      headers: { "Content-Type": SAMPLE_TYPE },
      body: `${SAMPLE}and more`,
      accepted: {
        found: "a file may be larger than the size asked for",
        whatToDo:
          "Choose storage that honours signed headers: here a quota can be passed by uploads already under way.",
      },
    }),
};

export const contentMd5: Probe = {
  name: "Content-MD5 enforced",
  run(context) {
    const md5 = createHash("md5").update(SAMPLE).digest("base64");
    return mustRefuse(context, {
      signed: { contentMd5: md5 },
      headers: { "Content-Type": SAMPLE_TYPE, "Content-MD5": md5 },
      body: SAMPLE.toUpperCase(),
      accepted: {
        found: "other bytes than those of the MD5 are stored",
        whatToDo: "Do not rely on content_md5 with this storage: check the bytes after the upload.",
      },
    });
  },
};
