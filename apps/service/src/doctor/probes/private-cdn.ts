import type { PrivateDelivery } from "#cdn/private-delivery.js";
import { describe, isAccepted, isSuccess, type Probe, SAMPLE, uploadSample } from "../probe.js";

const TYPE = "application/octet-stream";

/**
 * Whether the CDN at PRIVATE_BASE_URL reads the private bucket, refuses what is not signed, and passes the headers of the answer on to
 * storage. Without the last one, a browser would run what its uploader called a page.
 */
export function privateCdn(delivery: PrivateDelivery): Probe {
  return {
    name: "CDN of private files",
    async run(context) {
      const { path } = await uploadSample(context);
      const url = await delivery.presignGet({
        path,
        contentType: TYPE,
        contentDisposition: "attachment",
        signedAt: context.clock(),
        expiresInSeconds: 60,
      });
      const answer = await context.send(url);
      if (!isSuccess(answer) || answer.body !== SAMPLE)
        return {
          verdict: "fail",
          found: `a signed URL at PRIVATE_BASE_URL is refused (${describe(answer)})`,
          whatToDo:
            "Let the CDN read the private bucket, and check the key that signs the URLs. docs/cdn.md has each step.",
        };
      const [unsigned] = url.split("?", 1);
      const strangers = [unsigned ?? "", url.replace(encodeURIComponent(TYPE), "text%2Fhtml")];
      for (const stranger of strangers) {
        if (isAccepted(await context.send(stranger)))
          return {
            verdict: "fail",
            found: "the CDN sends private files to everyone who knows their path",
            whatToDo:
              "Turn on the check of signatures for all paths, with the query in the signature, before you use PRIVATE_BASE_URL.",
          };
      }
      const { headers } = answer;
      if (headers.get("content-type") !== TYPE || headers.get("content-disposition") !== "attachment")
        return {
          verdict: "fail",
          found: "the CDN does not pass response-content-type and response-content-disposition on to storage",
          whatToDo:
            "Let the CDN send these parameters of the query to storage, and make them a part of the cache key.",
        };
      return {
        verdict: "ok",
        found: `${new URL(url).origin} sends private files to holders of a signed URL only`,
        whatToDo: null,
      };
    },
  };
}
