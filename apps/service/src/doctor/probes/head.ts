import { StowageError } from "@stowage/schemas";
import {
  fail,
  NotChecked,
  ok,
  type Probe,
  SAMPLE_HEADERS,
  SAMPLE_TYPE,
  presignSample,
  SAMPLE,
  isSuccess,
  describe,
  warn,
} from "../probe.js";

/** A Last-Modified that is further off is not that of the upload. */
const TOLERATED_MS = 15 * 60_000;

/** Whether a HEAD tells the service all it records about an object, and a missing one from a refusal. */
export const head: Probe = {
  name: "HEAD",
  async run(context) {
    const { store, clock } = context;
    const path = context.newPath();
    const headOf = () =>
      store.head(path).catch((error: unknown) => {
        if (error instanceof StowageError) return error;
        throw error;
      });
    const before = await headOf();
    if (before instanceof StowageError)
      return fail(
        `storage does not answer 404 to a HEAD of a missing object (${messageOf(before)})`,
        "Allow the S3 keys to list the bucket (s3:ListBucket): without it storage answers 403, and the service waits for uploads that never came.",
      );
    if (before) return fail("storage finds an object that was never uploaded", SAME_STORAGE);
    const url = await presignSample(context, path);
    const put = await context.send(url, {
      method: "PUT",
      headers: SAMPLE_HEADERS,
      body: SAMPLE,
    });
    if (!isSuccess(put)) throw new NotChecked(`storage refuses the PUT of a sample (${describe(put)})`);
    const found = await headOf();
    if (found instanceof StowageError)
      return fail(`storage does not answer a HEAD (${messageOf(found)})`, PASS);
    if (!found) return fail("storage does not find an object right after its upload", SAME_STORAGE);
    if (found.sizeBytes !== SAMPLE.length)
      return fail(`a HEAD says ${found.sizeBytes} bytes instead of ${SAMPLE.length}`, PASS);
    if (found.contentType !== SAMPLE_TYPE)
      return warn(`a HEAD says the type ${found.contentType ?? "none"} instead of ${SAMPLE_TYPE}`, PASS);
    const age = Math.abs(clock().getTime() - (found.lastModified?.getTime() ?? NaN));
    if (!(age < TOLERATED_MS)) return warn("a HEAD has no Last-Modified of the upload", PASS);
    const listed = await store.list(path, null).catch(() => null);
    const etag = listed?.objects.find((object) => object.path === path)?.etag ?? found.etag;
    if (!found.etag || found.etag !== etag)
      return warn(
        `a HEAD says the ETag ${found.etag || "none"}, and the listing ${etag || "none"}`,
        `${PASS} Until then stowage reconcile reports every file as changed.`,
      );
    return ok("a HEAD says size, type, time and ETag of an object, and 404 if there is none");
  },
};

const PASS = "Let the proxy in front of S3_ENDPOINT pass HEAD requests and their answers unchanged.";
const SAME_STORAGE =
  "Check that S3_ENDPOINT and S3_PUBLIC_ENDPOINT are the same storage, and that no cache is in front of S3_ENDPOINT.";

const messageOf = ({ cause }: StowageError) => (cause instanceof Error ? cause.message : "no answer");
