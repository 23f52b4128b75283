import { describe, isSuccess, presignSample, type Probe, SAMPLE, SAMPLE_TYPE } from "../lab.js";

/** Whether whoever holds an upload URL can make the object public by a header that was not signed. */
export const unsignedAcl: Probe = {
  name: "Unsigned x-amz-acl",
  async examine(lab) {
    const url = await presignSample(lab, lab.newPath());
    const headers = { "Content-Type": SAMPLE_TYPE, "x-amz-acl": "public-read" };
    const answer = await lab.send(url, { method: "PUT", headers, body: SAMPLE });
    if (!isSuccess(answer)) return { verdict: "ok", found: `refused (${describe(answer)})`, whatToDo: null };
    const { origin, pathname } = new URL(url);
    if (!isSuccess(await lab.send(origin + pathname)))
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
  async examine(lab) {
    const headers = { "Content-Type": SAMPLE_TYPE };
    const source = lab.newPath();
    await lab.send(await presignSample(lab, source), { method: "PUT", headers, body: SAMPLE });
    const target = lab.newPath();
    const answer = await lab.send(await presignSample(lab, target), {
      method: "PUT",
      headers: { ...headers, "x-amz-copy-source": `/${lab.bucket}/${source}` },
      body: "",
    });
    const copied = isSuccess(answer) && ((await lab.store.head(target))?.sizeBytes ?? 0) > 0;
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
