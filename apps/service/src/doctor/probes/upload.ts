import {
  describe,
  isSuccess,
  presignSample,
  type Probe,
  type ProbeContext,
  type ProbeResponse,
  type ProbeResult,
  SAMPLE,
  SAMPLE_TYPE,
} from "../probe.js";

const SAMPLE_BYTES = Buffer.byteLength(SAMPLE);

/** Uploads an object as a browser does, checks that the service sees it, and reads it back through a download URL. */
export const upload: Probe = {
  name: "Upload and download",
  async run(context) {
    const path = context.newPath();
    const put = await context.send(await presignSample(context, path, { sizeBytes: SAMPLE_BYTES }), {
      method: "PUT",
      headers: { "Content-Type": SAMPLE_TYPE },
      body: SAMPLE,
    });
    if (!isSuccess(put)) {
      return fail(
        `storage refuses a presigned PUT (${describe(put)})`,
        "Allow the S3 keys to put objects (s3:PutObject), and check S3_PUBLIC_ENDPOINT and S3_REGION: both are part of the signature.",
      );
    }
    const head = await context.store.head(path);
    if (head?.sizeBytes !== SAMPLE_BYTES) {
      return fail(
        head
          ? `the uploaded object has ${head.sizeBytes} bytes instead of ${SAMPLE_BYTES}`
          : "the service does not find the uploaded object",
        "Check that S3_ENDPOINT and S3_PUBLIC_ENDPOINT are the same storage.",
      );
    }
    return judgeDownload(await download(context, path));
  },
};

async function download(context: ProbeContext, path: string): Promise<ProbeResponse> {
  const url = await context.store.presignGet({
    path,
    contentDisposition: "attachment",
    contentType: SAMPLE_TYPE,
    signedAt: context.clock(),
    expiresInSeconds: 60,
  });
  return context.send(url);
}

function judgeDownload(response: ProbeResponse): ProbeResult {
  if (!isSuccess(response) || response.body !== SAMPLE) {
    return fail(
      `a presigned GET does not return the object (${describe(response)})`,
      "Allow the S3 keys to read objects (s3:GetObject).",
    );
  }
  if (response.headers.get("content-disposition") !== "attachment") {
    return {
      verdict: "warn",
      found: "storage ignores response-content-disposition on downloads",
      whatToDo: "Serve downloads from a separate domain: a browser may execute a file that a user uploaded.",
    };
  }
  return {
    verdict: "ok",
    found: "an object was uploaded, seen by the service and read back",
    whatToDo: null,
  };
}

function fail(found: string, whatToDo: string): ProbeResult {
  return { verdict: "fail", found, whatToDo };
}
