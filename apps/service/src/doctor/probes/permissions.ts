import { StowageError } from "@stowage/schemas";
import { type Probe, uploadSample } from "../probe.js";

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

/** Here a refusal by storage is a result, not a failure of the probe. */
async function isAllowed(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof StowageError) return false;
    throw error;
  }
}
