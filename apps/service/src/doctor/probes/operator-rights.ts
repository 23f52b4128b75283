import { StowageError } from "@stowage/schemas";
import { presignSample, type Probe, SAMPLE, SAMPLE_TYPE } from "../probe.js";

/** Whether deletes free their space. */
export const deletes: Probe = {
  name: "Delete",
  async run(context) {
    const path = context.newPath();
    const url = await presignSample(context, path);
    await context.send(url, { method: "PUT", headers: { "Content-Type": SAMPLE_TYPE }, body: SAMPLE });
    const isGone = await allowed(async () => {
      await context.store.remove(path);
      return (await context.store.head(path)) === null;
    });
    if (isGone) return { verdict: "ok", found: "a deleted object is gone", whatToDo: null };
    return {
      verdict: "warn",
      found: "a deleted object is still there",
      whatToDo:
        "Let the S3 keys delete objects (s3:DeleteObject): until then deleted files keep their space.",
    };
  },
};

/** Whether `stowage reconcile` can read the bucket's listing. */
export const listing: Probe = {
  name: "Listing",
  async run(context) {
    const path = context.newPath();
    const url = await presignSample(context, path);
    await context.send(url, { method: "PUT", headers: { "Content-Type": SAMPLE_TYPE }, body: SAMPLE });
    const isListed = await allowed(async () => {
      const { objects } = await context.store.list(path, null);
      return objects.some((object) => object.path === path);
    });
    if (isListed) return { verdict: "ok", found: "a new object is listed at once", whatToDo: null };
    return {
      verdict: "warn",
      found: "a new object is not listed",
      whatToDo:
        "Let the S3 keys list the bucket (s3:ListBucket): stowage reconcile compares with its listing.",
    };
  },
};

/** Storage that refuses is an answer here, not a failure of the probe. */
async function allowed(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof StowageError) return false;
    throw error;
  }
}
