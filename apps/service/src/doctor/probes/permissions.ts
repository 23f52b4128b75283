import { StowageError } from "@stowage/schemas";
import { isPurgeFailure } from "#cdn/cdn.js";
import { presignSamplePart, type Probe, SAMPLE, uploadSample } from "../probe.js";

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
    const upload = await context.startUpload();
    const url = await presignSamplePart(context, upload, { number: 1, sizeBytes: Buffer.byteLength(SAMPLE) });
    await context.send(url, { method: "PUT", body: SAMPLE });
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
    const { path, uploadId } = await context.startUpload();
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

/** Here a refusal by storage is a result, not a failure of the probe. */
async function isAllowed(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof StowageError && !isPurgeFailure(error)) return false;
    throw error;
  }
}
