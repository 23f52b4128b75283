import {
  describe,
  isAccepted,
  isSuccess,
  NotChecked,
  ok,
  presignRead,
  presignSample,
  type Probe,
  type ProbeResponse,
  SAMPLE,
  SAMPLE_HEADERS,
  SAMPLE_TYPE,
  uploadSample,
  warn,
} from "../probe.js";

/**
 * Whether storage refuses what has no signature, or a wrong one: a read, also right after a signed one that a proxy could keep, a list, a PUT
 * and a DELETE.
 */
export const privacy: Probe = {
  name: "Private",
  async run(context) {
    const { path, url } = await uploadSample(context);
    const signed = await presignRead(context, path);
    const control = await context.send(signed);
    if (!isSuccess(control)) throw new NotChecked(`storage refuses a signed read too (${describe(control)})`);
    const unsigned = urlWithoutQuery(url);
    const read = await context.send(unsigned);
    if (isAccepted(read))
      return warn(
        "anyone can read the bucket's objects",
        "Remove public read access from the bucket (bucket policy, ACL, public access block). If a proxy is in front of storage, let it keep no answers, or only by their whole query.",
      );
    const wrong = signed.replace(/(X-Amz-Signature=)[^&]*/, `$1${"0".repeat(64)}`);
    const changed = signed.replace(encodeURIComponent(SAMPLE_TYPE), "text%2Fhtml");
    if (isAccepted(await context.send(wrong)) || isAccepted(await context.send(changed)))
      return warn(
        "storage answers a URL whose signature is wrong",
        "Use storage that checks signatures. If a proxy is in front of it, let it keep answers only by their whole query.",
      );
    const bucket = unsigned.slice(0, -path.length);
    if (isAccepted(await context.send(`${bucket}?list-type=2`)))
      return warn(
        "anyone can list the bucket's objects",
        "Remove public access to the list from the bucket.",
      );
    const headers = SAMPLE_HEADERS;
    const newUrl = urlWithoutQuery(await presignSample(context, context.newPath()));
    const isWritable =
      isAccepted(await context.send(newUrl, { method: "PUT", headers, body: SAMPLE })) ||
      isAccepted(await context.send(unsigned, { method: "DELETE" }));
    if (isWritable)
      return warn(
        "anyone can write to the bucket, or delete from it",
        "Remove public write access from the bucket.",
      );
    return ok(`storage refuses unsigned reads (${describe(read)}), lists and writes`);
  },
};

function urlWithoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether a user with an upload URL can make the object public with a header that is not signed. */
export const unsignedAcl: Probe = {
  name: "Unsigned x-amz-acl",
  async run(context) {
    await uploadSample(context);
    const url = await presignSample(context, context.newPath());
    const headers = { ...SAMPLE_HEADERS, "x-amz-acl": "public-read" };
    const response = await context.send(url, { method: "PUT", headers, body: SAMPLE });
    if (!isAcceptedOrUnknown(response)) return ok(`storage refuses it (${describe(response)})`);
    if (!isAccepted(await context.send(urlWithoutQuery(url))))
      return ok("storage ignores it: the object stays private");
    return warn(
      "storage accepts it: users can make their uploads public",
      "Turn ACLs off for the bucket (public access block, or a policy that denies s3:PutObjectAcl).",
    );
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
      headers: { ...SAMPLE_HEADERS, "x-amz-copy-source": `/${context.bucket}/${source}` },
      body: "",
    });
    if (!isAcceptedOrUnknown(response)) return ok(`storage refuses it (${describe(response)})`);
    const isCopied = ((await context.store.head(target))?.sizeBytes ?? 0) > 0;
    if (!isCopied) return ok("storage ignores it");
    return warn(
      "storage accepts it: a user who knows another object's key can copy that object",
      "Refuse the header x-amz-copy-source at a proxy in front of storage, and give Stowage's S3 user access to this bucket only.",
    );
  },
};

/** Storage that does not implement a header may say so with 501, which is a refusal here. */
const isAcceptedOrUnknown = (response: ProbeResponse) => response.status !== 501 && isAccepted(response);
