import { StowageError } from "@stowage/schemas";
import {
  describe,
  isSuccess,
  type Probe,
  type ProbeContext,
  type ProbeResult,
  presignRead,
  putPart,
  SAMPLE,
  warn,
} from "../probe.js";

/** The smallest size that S3 accepts for a part that is not the last one. */
const FIRST_PART = "s".repeat(5 * 1024 ** 2);
const PARTS = [FIRST_PART, SAMPLE];
const SIZE_BYTES = FIRST_PART.length + SAMPLE.length;

/** Uploads an object in two parts, as the widget uploads a large file, and lets the service complete it. */
export const uploadByParts: Probe = {
  name: "Upload by parts",
  async run(context) {
    try {
      return await uploadParts(context);
    } catch (error) {
      if (error instanceof StepFailed) return fail(error.message);
      throw error;
    }
  },
};

async function uploadParts(context: ProbeContext): Promise<ProbeResult> {
  const { store } = context;
  const upload = await step("start a multipart upload", () => context.startUpload());
  for (const [index, body] of PARTS.entries()) {
    const put = await putPart(context, upload, { number: index + 1, body });
    if (put.status === 413)
      return fail(
        `storage refuses a part of ${body.length / 1024 ** 2} MiB (HTTP 413)`,
        "Raise the limit of request bodies of the proxy in front of storage (in nginx: client_max_body_size).",
      );
    if (!isSuccess(put)) return fail(`storage refuses the presigned PUT of a part (${describe(put)})`);
  }
  const stored = await step("list the parts of an upload", () => store.listParts(upload, 0));
  const sizes = stored?.parts.map(({ number, sizeBytes }) => `${number}: ${sizeBytes}`).join(", ");
  const expected = PARTS.map((body, index) => `${index + 1}: ${body.length}`).join(", ");
  if (sizes !== expected)
    return fail(`storage lists other parts than were sent (${sizes ?? "none"} instead of ${expected})`);
  const outcome = await step("complete a multipart upload", () =>
    store.completeMultipart(upload, stored!.parts),
  );
  if (outcome !== "completed") return fail("storage does not find the parts that it listed");
  const head = await step("answer a HEAD request", () => store.head(upload.path));
  if (head?.sizeBytes !== SIZE_BYTES)
    return fail(`the object has ${head?.sizeBytes ?? 0} bytes instead of ${SIZE_BYTES}`);
  const late = await putPart(context, upload, { number: 2, body: SAMPLE.toUpperCase() });
  if (isSuccess(late)) return warnOfLatePart(await isWhole(context, upload.path));
  return {
    verdict: "ok",
    found: `two parts became one object; a part that comes later is refused (${describe(late)})`,
    whatToDo: null,
  };
}

/** Whether the last part of the object still has its bytes. */
async function isWhole(context: ProbeContext, path: string): Promise<boolean> {
  const url = await presignRead(context, path);
  const read = await context.send(url, { headers: { Range: `bytes=${FIRST_PART.length}-` } });
  return isSuccess(read) && read.body === SAMPLE;
}

function warnOfLatePart(isStillWhole: boolean): ProbeResult {
  const found = "storage accepts a part of an upload that is complete";
  return isStillWhole
    ? warn(
        found,
        "Run stowage reconcile --repair regularly: such a part keeps its space in storage, and no file knows it.",
      )
    : warn(
        `${found}, and the object cannot be read any more or has other bytes`,
        "Give content_md5 for each part: then its URL, which works for an hour, takes only the same bytes again.",
      );
}

class StepFailed extends Error {}

/** @throws {StepFailed} if storage refuses the call or does not answer */
async function step<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof StowageError)
      throw new StepFailed(`storage does not ${what}${reasonOf(error.cause)}`);
    throw error;
  }
}

/** The S3 error code, such as `AccessDenied`. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? ` (${cause.name})` : "";
}

const PERMISSIONS =
  "Allow the S3 keys s3:PutObject, s3:AbortMultipartUpload and s3:ListMultipartUploadParts. If this storage has no multipart uploads, set multipartFrom: false in the helper.";

function fail(found: string, whatToDo = PERMISSIONS): ProbeResult {
  return { verdict: "fail", found, whatToDo };
}
