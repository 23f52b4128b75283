import { S3Error } from "../../errors.js";
import { NO_CONTENT, xmlReply } from "../../http/reply.js";
import { uriEncodePath } from "../../http/uri-encode.js";
import { compareKeys } from "../../storage/key-index.js";
import { createUpload, findUpload, removeUpload } from "../../storage/uploads.js";
import { writeXml, type XmlElement } from "../../xml/write-xml.js";
import { encryptionHeaders, readEncryption } from "../demands.js";
import { bucketOf, keyOf, type Operation } from "../operation.js";
import { readCount, readEncoding } from "../read-parameter.js";
import { readStoredHeaders } from "../stored-headers.js";
import { readUploadChecksum, uploadChecksumElements } from "./upload-checksum.js";

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
export const createMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  const key = keyOf(context);
  const headers = readStoredHeaders(context.request);
  const checksum = readUploadChecksum(context.request);
  const encryption = readEncryption(context);
  const initiated = context.now().getTime();
  const { id } = await createUpload(bucket, { key, headers, initiated, checksum, encryption });
  const reply = xmlReply(
    writeXml("InitiateMultipartUploadResult", [
      ["Bucket", bucket.name],
      ["Key", key],
      ["UploadId", id],
    ]),
  );
  const announced = checksum && {
    "x-amz-checksum-algorithm": checksum.algorithm.toUpperCase(),
    "x-amz-checksum-type": checksum.type,
  };
  return { ...reply, headers: { ...reply.headers, ...announced, ...encryptionHeaders(encryption) } };
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
export const abortMultipartUpload: Operation = async (context) => {
  const bucket = bucketOf(context);
  const uploadId = context.request.query.get("uploadId") ?? "";
  await bucket.lock(`upload ${uploadId}`, async () => {
    await findUpload(bucket, keyOf(context), uploadId);
    await removeUpload(bucket, uploadId);
  });
  return NO_CONTENT;
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html, without a delimiter. */
export const listMultipartUploads: Operation = async (context) => {
  const bucket = bucketOf(context);
  const { query } = context.request;
  if (query.get("delimiter"))
    throw new S3Error("NotImplemented", "This store does not list multipart uploads by delimiter.");
  const prefix = query.get("prefix") ?? "";
  const maxUploads = readCount(query, "max-uploads", 1000);
  const keyMarker = query.get("key-marker") ?? "";
  const idMarker = query.get("upload-id-marker") ?? "";
  const encode = readEncoding(query) === "url" ? uriEncodePath : (text: string) => text;

  const remaining = [...bucket.openUploads.values()]
    .filter(({ key, id }) => {
      const order = compareKeys(key, keyMarker);
      return key.startsWith(prefix) && (order > 0 || (order === 0 && idMarker !== "" && id > idMarker));
    })
    .sort((a, b) => compareKeys(a.key, b.key) || (a.id < b.id ? -1 : 1));
  const page = remaining.slice(0, maxUploads);
  const isTruncated = page.length < remaining.length;
  const last = isTruncated ? page.at(-1) : undefined;
  return xmlReply(
    writeXml("ListMultipartUploadsResult", [
      ["Bucket", bucket.name],
      ["Prefix", encode(prefix)],
      ["KeyMarker", encode(keyMarker)],
      ["UploadIdMarker", idMarker],
      last ? ["NextKeyMarker", encode(last.key)] : undefined,
      last ? ["NextUploadIdMarker", last.id] : undefined,
      query.has("encoding-type") ? ["EncodingType", "url"] : undefined,
      ["MaxUploads", maxUploads],
      ["IsTruncated", isTruncated],
      ...page.map(({ key, id, initiated, checksum }): XmlElement => [
        "Upload",
        [
          ["Key", encode(key)],
          ["UploadId", id],
          ["Initiated", new Date(initiated).toISOString()],
          ["StorageClass", "STANDARD"],
          ...uploadChecksumElements({ checksum }),
        ],
      ]),
    ]),
  );
};
