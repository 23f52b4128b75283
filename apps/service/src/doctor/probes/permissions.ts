import { StowageError } from "@stowage/schemas";
import { isPurgeFailure } from "#cdn/cdn.js";
import {
  describe,
  isSuccess,
  NotChecked,
  putPart,
  type Probe,
  SAMPLE,
  uploadSample,
  uploadSampleParts,
  warn,
} from "../probe.js";

/** Whether the S3 keys may delete objects, so that deleted files free their space. */
export const deletes: Probe = {
  name: "Delete",
  async run(context) {
    const { path } = await uploadSample(context);
    const isGone = await isAllowed(async () => {
      await context.store.remove(path);
      return (await context.store.head(path)) === null;
    });
    if (isGone) return { verdict: "ok", found: "a deleted object is gone", whatToDo: null };
    return {
      verdict: "warn",
      found: "a deleted object is still there",
      whatToDo:
        "Allow the S3 keys to delete objects (s3:DeleteObject). Until then deleted files keep their space in storage.",
    };
  },
};

/**
 * Whether the bucket keeps the bytes of deleted files as old versions. The answer to a PUT names the version:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html. Asking for the setting would need another permission.
 */
export const versions: Probe = {
  name: "Versions",
  async run(context) {
    const { response } = await uploadSample(context);
    const version = response.headers.get("x-amz-version-id");
    if (version === null || version === "null")
      return { verdict: "ok", found: "the bucket keeps no old versions", whatToDo: null };
    return {
      verdict: "info",
      found: "the bucket keeps old versions: bytes of deleted files stay until a lifecycle rule removes them",
      whatToDo: null,
    };
  },
};

/** Whether the S3 keys may list the bucket, which `stowage reconcile` needs. */
export const listing: Probe = {
  name: "Listing",
  async run(context) {
    const { path } = await uploadSample(context);
    const isListed = await isAllowed(async () => {
      const { objects } = await context.store.list(path, null);
      return objects.some((object) => object.path === path);
    });
    if (isListed) return { verdict: "ok", found: "a new object is listed immediately", whatToDo: null };
    return {
      verdict: "warn",
      found: "a new object is not listed",
      whatToDo:
        "Allow the S3 keys to list the bucket (s3:ListBucket): stowage reconcile compares the database with the listing.",
    };
  },
};

/** Whether the S3 keys may abort multipart uploads, so that cancelled uploads free their space. */
export const aborts: Probe = {
  name: "Abort",
  async run(context) {
    const upload = await uploadSampleParts(context, 1);
    const before = await context.store.listParts(upload, 0).catch(() => null);
    if (!before?.parts.length) throw new NotChecked("storage does not list the part that was sent");
    const isGone = await isAllowed(async () => {
      await context.store.abortMultipart(upload);
      const page = await context.store.listParts(upload, 0);
      return page === null || page.parts.length === 0;
    });
    if (isGone) return { verdict: "ok", found: "the parts of an aborted upload are gone", whatToDo: null };
    return {
      verdict: "warn",
      found: "the parts of an aborted upload are still there",
      whatToDo:
        "Allow the S3 keys to abort multipart uploads (s3:AbortMultipartUpload). Until then cancelled uploads keep their space in storage.",
    };
  },
};

/** Whether the S3 keys may list multipart uploads. The service aborts every upload of a path, also those that no file knows. */
export const uploadListing: Probe = {
  name: "Listing of uploads",
  async run(context) {
    const { path, uploadId } = await uploadSampleParts(context);
    const isListed = await isAllowed(async () => {
      const { uploads } = await context.store.listMultiparts(path, null);
      return uploads.some((upload) => upload.path === path && upload.uploadId === uploadId);
    });
    if (isListed)
      return { verdict: "ok", found: "a new multipart upload is listed immediately", whatToDo: null };
    return {
      verdict: "warn",
      found: "a new multipart upload is not listed",
      whatToDo:
        "Allow the S3 keys to list multipart uploads (s3:ListBucketMultipartUploads). Until then uploads by parts cannot be cancelled, and keep their space in storage when they end.",
    };
  },
};

/**
 * Whether storage lists the parts that it has, goes on after a part, and takes the largest part number. A file of 5 GiB may have a
 * thousand parts and more: Swift takes 1,000 (https://docs.openstack.org/swift/latest/api/s3_compat.html), which a smaller file never
 * shows.
 */
export const partListing: Probe = {
  name: "Listing of parts",
  async run(context) {
    const upload = await uploadSampleParts(context, 1, 2);
    const list = async (after: number) =>
      (await context.store.listParts(upload, after))?.parts.map(
        ({ number, sizeBytes, etag }) => `${number}: ${sizeBytes}${etag ? "" : " without an ETag"}`,
      );
    const expected = [1, 2].map((number) => `${number}: ${SAMPLE.length}`);
    let lists: (string[] | undefined)[] = [];
    const isListed = await isAllowed(async () => {
      lists = [await list(0), await list(1)];
      return lists[0]?.join() === expected.join() && lists[1]?.join() === expected[1];
    });
    if (!isListed) {
      const [all, rest] = lists.map((listed) => listed?.join(", ") || "nothing");
      return {
        verdict: "fail",
        found:
          all === undefined
            ? "storage does not list the parts of an upload"
            : `storage lists other parts than it has: ${all}; after part 1: ${rest} (instead of ${expected.join(", ")}; ${expected[1]})`,
        whatToDo:
          "Allow the S3 keys s3:ListMultipartUploadParts, and use storage that honours part-number-marker: without the list no upload by parts can be completed or resumed.",
      };
    }
    const { maxParts } = context.store;
    const last = await putPart(context, upload, { number: maxParts, body: SAMPLE });
    if (!isSuccess(last))
      return warn(
        `storage takes no part with the number ${maxParts} (${describe(last)})`,
        "Set S3_MAX_PARTS to the largest part number of this storage: 1000 for OpenStack Swift and Scaleway. Without it, a file of more parts fails after it was sent.",
      );
    return {
      verdict: "ok",
      found: `parts are listed immediately, and their numbers may reach ${maxParts}`,
      whatToDo: null,
    };
  },
};

/** Here a refusal by storage is a result, not a failure of the probe. */
async function isAllowed(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof StowageError && !isPurgeFailure(error)) return false;
    throw error;
  }
}
