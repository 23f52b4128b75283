import { limits } from "@stowage/schemas";
import {
  describe,
  fail,
  isAccepted,
  isSuccess,
  ok,
  presignRead,
  presignSample,
  type Probe,
  type ProbeResponse,
  SAMPLE,
  SAMPLE_HEADERS,
  uploadSample,
  warn,
} from "../probe.js";

const MINUTE_MS = 60_000;
const AGE_MINUTES = 20;
const PUT = { method: "PUT", headers: SAMPLE_HEADERS, body: SAMPLE } as const;

/** Whether a URL lives as long as it was signed for, and no longer. */
export const urlLifetime: Probe = {
  name: "Lifetime of URLs",
  async run(context) {
    const { path } = await uploadSample(context);
    const signed = (minutesAgo: number, expiresInSeconds: number) => ({
      signedAt: new Date(context.clock().getTime() - minutesAgo * MINUTE_MS),
      expiresInSeconds,
    });
    const put = async (...time: Parameters<typeof signed>) =>
      context.send(await presignSample(context, context.newPath(), signed(...time)), PUT);
    const get = async (...time: Parameters<typeof signed>) =>
      context.send(await presignRead(context, path, signed(...time)));

    const tooShort = (kind: string, lifetime: string, answer: ProbeResponse) =>
      fail(
        `${kind} URL of ${lifetime} is refused ${AGE_MINUTES} minutes after it was signed (${describe(answer)})`,
        "Use storage, or a proxy in front of it, that honours X-Amz-Expires. Until then slow uploads and open pages fail.",
      );
    const oldPut = await put(AGE_MINUTES, limits.uploadUrlSeconds);
    if (!isSuccess(oldPut)) return tooShort("an upload", "an hour", oldPut);
    const oldGet = await get(AGE_MINUTES, limits.downloadUrlSeconds);
    if (!isSuccess(oldGet)) return tooShort("a download", "an hour", oldGet);

    if (isAccepted(await put(AGE_MINUTES, 60)) || isAccepted(await get(AGE_MINUTES, 60)))
      return warn(
        "storage accepts a URL after its end",
        "Use storage that honours X-Amz-Expires. With this one, everyone who ever saw a URL keeps access.",
      );

    const longGet = await get(AGE_MINUTES, limits.maxDownloadUrlSeconds);
    if (!isSuccess(longGet))
      return warn(
        `storage refuses a download URL of seven days (${describe(longGet)})`,
        "Ask for shorter download URLs: expires_in of at most what this storage allows.",
      );
    return ok(`URLs work ${AGE_MINUTES} minutes after they were signed, and end when they should`);
  },
};
