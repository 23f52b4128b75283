import { describe, isSuccess, presignSample, type Probe, SAMPLE, SAMPLE_TYPE } from "../probe.js";

/** Whether whoever holds an upload URL can make the object public by a header that was not signed. */
export const unsignedAcl: Probe = {
  name: "Unsigned x-amz-acl",
  async run(context) {
    const url = await presignSample(context, context.newPath());
    const headers = { "Content-Type": SAMPLE_TYPE, "x-amz-acl": "public-read" };
    const answer = await context.send(url, { method: "PUT", headers, body: SAMPLE });
    if (!isSuccess(answer)) return { verdict: "ok", found: `refused (${describe(answer)})`, whatToDo: null };
    const { origin, pathname } = new URL(url);
    if (!isSuccess(await context.send(origin + pathname)))
      return { verdict: "ok", found: "ignored: the object stays private", whatToDo: null };
    return {
      verdict: "warn",
      found: "accepted: users can make their uploads public",
      whatToDo:
        "Switch ACLs off for the bucket (public access block, or a policy that denies s3:PutObjectAcl).",
    };
  },
};

/** Whether whoever holds an upload URL can copy another object into it by a header that was not signed. */
export const unsignedCopySource: Probe = {
  name: "Unsigned x-amz-copy-source",
  async run(context) {
    const headers = { "Content-Type": SAMPLE_TYPE };
    const source = context.newPath();
    await context.send(await presignSample(context, source), { method: "PUT", headers, body: SAMPLE });
    const target = context.newPath();
    const answer = await context.send(await presignSample(context, target), {
      method: "PUT",
      headers: { ...headers, "x-amz-copy-source": `/${context.bucket}/${source}` },
      body: "",
    });
    const copied = isSuccess(answer) && ((await context.store.head(target))?.sizeBytes ?? 0) > 0;
    if (!copied) {
      const found = isSuccess(answer) ? "ignored" : `refused (${describe(answer)})`;
      return { verdict: "ok", found, whatToDo: null };
    }
    return {
      verdict: "warn",
      found: "accepted: a user who knows another object's key can copy that object",
      whatToDo:
        "Refuse the header x-amz-copy-source at a proxy in front of the storage, and give Stowage's S3 user this one bucket only.",
    };
  },
};
