import {
  describe,
  isSuccess,
  presignSample,
  type Probe,
  SAMPLE,
  SAMPLE_TYPE,
  uploadSample,
} from "../probe.js";

/** Whether storage refuses a read without a signature. */
export const privacy: Probe = {
  name: "Private",
  async run(context) {
    const { url } = await uploadSample(context);
    const { origin, pathname } = new URL(url);
    const response = await context.send(origin + pathname);
    if (isSuccess(response)) {
      return {
        verdict: "warn",
        found: "anyone can read the bucket's objects",
        whatToDo: "Remove public read access from the bucket (bucket policy, ACL, public access block).",
      };
    }
    return {
      verdict: "ok",
      found: `storage refuses unsigned reads (${describe(response)})`,
      whatToDo: null,
    };
  },
};

/** Whether a user with an upload URL can make the object public with a header that is not signed. */
export const unsignedAcl: Probe = {
  name: "Unsigned x-amz-acl",
  async run(context) {
    const url = await presignSample(context, context.newPath());
    const headers = { "Content-Type": SAMPLE_TYPE, "x-amz-acl": "public-read" };
    const response = await context.send(url, { method: "PUT", headers, body: SAMPLE });
    if (!isSuccess(response))
      return { verdict: "ok", found: `storage refuses it (${describe(response)})`, whatToDo: null };
    const { origin, pathname } = new URL(url);
    if (!isSuccess(await context.send(origin + pathname)))
      return { verdict: "ok", found: "storage ignores it: the object stays private", whatToDo: null };
    return {
      verdict: "warn",
      found: "storage accepts it: users can make their uploads public",
      whatToDo:
        "Turn ACLs off for the bucket (public access block, or a policy that denies s3:PutObjectAcl).",
    };
  },
};

/** Whether a user with an upload URL can copy another object with a header that is not signed. */
export const unsignedCopySource: Probe = {
  name: "Unsigned x-amz-copy-source",
  async run(context) {
    const { path: source } = await uploadSample(context);
    const target = context.newPath();
    const response = await context.send(await presignSample(context, target), {
      method: "PUT",
      headers: { "Content-Type": SAMPLE_TYPE, "x-amz-copy-source": `/${context.bucket}/${source}` },
      body: "",
    });
    if (!isSuccess(response))
      return { verdict: "ok", found: `storage refuses it (${describe(response)})`, whatToDo: null };
    const isCopied = ((await context.store.head(target))?.sizeBytes ?? 0) > 0;
    if (!isCopied) return { verdict: "ok", found: "storage ignores it", whatToDo: null };
    return {
      verdict: "warn",
      found: "storage accepts it: a user who knows another object's key can copy that object",
      whatToDo:
        "Refuse the header x-amz-copy-source at a proxy in front of storage, and give Stowage's S3 user access to this bucket only.",
    };
  },
};
