import { describe, isSuccess, presignSample, type Probe, SAMPLE, SAMPLE_TYPE } from "../probe.js";

/** One upload as every browser makes it, seen by the service and read back through a download URL. */
export const upload: Probe = {
  name: "Upload and download",
  async run(context) {
    const fail = (found: string, whatToDo: string) => ({ verdict: "fail" as const, found, whatToDo });
    const path = context.newPath();
    const url = await presignSample(context, path, { sizeBytes: Buffer.byteLength(SAMPLE) });
    const put = await context.send(url, {
      method: "PUT",
      headers: { "Content-Type": SAMPLE_TYPE },
      body: SAMPLE,
    });
    if (!isSuccess(put)) {
      return fail(
        `a presigned PUT was answered ${describe(put)}`,
        "Let the S3 keys put objects (s3:PutObject), and check S3_PUBLIC_ENDPOINT and S3_REGION: both are signed.",
      );
    }
    const head = await context.store.head(path);
    if (head?.sizeBytes !== Buffer.byteLength(SAMPLE)) {
      return fail(
        head ? `the object has ${head.sizeBytes} bytes` : "the service does not see the object",
        "Check that S3_ENDPOINT and S3_PUBLIC_ENDPOINT are the same storage.",
      );
    }
    const get = await context.send(
      await context.store.presignGet({
        path,
        contentDisposition: "attachment",
        contentType: SAMPLE_TYPE,
        signedAt: context.clock(),
        expiresInSeconds: 60,
      }),
    );
    if (!isSuccess(get) || get.body !== SAMPLE) {
      return fail(
        `a presigned GET was answered ${describe(get)}`,
        "Let the S3 keys read objects (s3:GetObject).",
      );
    }
    if (get.headers.get("content-disposition") !== "attachment") {
      return {
        verdict: "warn",
        found: "downloads ignore response-content-disposition",
        whatToDo: "Serve downloads from a domain of their own: a browser may run what a user uploaded.",
      };
    }
    return {
      verdict: "ok",
      found: "stored, seen by the service and read back",
      whatToDo: null,
    };
  },
};
