import { S3Error } from "../errors.js";
import { xmlReply } from "../http/reply.js";
import { writeXml, type XmlElement } from "../xml/write-xml.js";
import type { Operation } from "./operation.js";
import { OWNER } from "./owner.js";
import { readCount } from "./read-parameter.js";

/** The limit of a page, also when the client names none. */
const MAX_BUCKETS = 10_000;

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
export const listBuckets: Operation = async ({ storage, request: { query }, region }) => {
  const prefix = query.get("prefix") ?? "";
  const limit = readCount(query, "max-buckets", MAX_BUCKETS);
  if (limit === 0)
    throw new S3Error("InvalidArgument", "Argument max-buckets must be an integer between 1 and 10000");
  if ((query.get("bucket-region") || region) !== region)
    throw new S3Error("InvalidArgument", `The bucket-region must be '${region}'.`);
  const after = readToken(query.get("continuation-token") ?? "");

  const remaining = storage
    .buckets()
    .filter(({ name }) => name.startsWith(prefix) && name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = remaining.slice(0, limit);
  const last = page.length < remaining.length ? page.at(-1) : undefined;
  return xmlReply(
    writeXml("ListAllMyBucketsResult", [
      OWNER,
      [
        "Buckets",
        page.map(({ name, settings }): XmlElement => [
          "Bucket",
          [
            ["Name", name],
            ["CreationDate", settings.createdAt],
            ["BucketRegion", region],
          ],
        ]),
      ],
      last ? ["ContinuationToken", Buffer.from(last.name).toString("base64url")] : undefined,
      query.has("prefix") ? ["Prefix", prefix] : undefined,
    ]),
  );
};

/** A token is the name of the last listed bucket. @throws S3Error InvalidArgument */
function readToken(token: string): string {
  const name = Buffer.from(token, "base64url").toString();
  if (/^[a-z0-9.-]*$/.test(name) && (name === "") === (token === "")) return name;
  throw new S3Error("InvalidArgument", "The continuation token provided is incorrect");
}
