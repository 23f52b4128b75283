import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { BUCKET, type TestStore } from "./a-store.js";

/** The outcome of a sample, or of these values. */
type Outcomes = string | Record<string, string>;

/** Makes a valid input, and what it needs in the store. */
type Base = (store: TestStore) => Promise<object>;

const inBucket: Base = async () => ({ Bucket: BUCKET });
const ofObject: Base = async () => ({ Bucket: BUCKET, Key: "k" });
const ofUpload = async ({ client }: TestStore) => {
  const names = { Bucket: BUCKET, Key: "k" };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(names));
  return { ...names, UploadId };
};

const CORS = {
  Bucket: BUCKET,
  CORSConfiguration: { CORSRules: [{ AllowedMethods: ["GET"], AllowedOrigins: ["*"] }] },
};
const BLOCK = { Bucket: BUCKET, PublicAccessBlockConfiguration: { BlockPublicAcls: true } };

const ALL = { RequestPayer: { requester: "ok" } };
const ALGORITHMS = { CRC32: "ok", CRC32C: "ok", CRC64NVME: "ok", SHA1: "ok", SHA256: "ok" };
const CHECKSUMS = Object.fromEntries(
  Object.keys(ALGORITHMS).map((algorithm) => [`Checksum${algorithm}`, "InvalidDigest"]),
);
const BODY = { ...CHECKSUMS, ChecksumAlgorithm: ALGORITHMS, ContentMD5: "InvalidDigest" };
const STORED = {
  CacheControl: "ok",
  ContentDisposition: "ok",
  ContentEncoding: "ok",
  ContentLanguage: "ok",
  ContentType: "ok",
  Expires: "ok",
  Metadata: "ok",
  StorageClass: { STANDARD: "ok" },
  ACL: { private: "ok", "bucket-owner-full-control": "ok" },
};
const PART_CHECKSUMS = Object.fromEntries(
  Object.keys(CHECKSUMS).map((name) => [`MultipartUpload.Parts.${name}`, "InvalidPart"]),
);
const WRITE_CONDITIONS = { IfMatch: "PreconditionFailed", IfNoneMatch: { "*": "PreconditionFailed" } };
const READ = {
  IfMatch: "PreconditionFailed",
  IfNoneMatch: "ok",
  IfUnmodifiedSince: "PreconditionFailed",
  IfModifiedSince: "ok",
  Range: { 1: "ok", "bytes=9-": "InvalidRange" },
  ChecksumMode: { ENABLED: "ok" },
  ResponseCacheControl: "ok",
  ResponseContentDisposition: "ok",
  ResponseContentEncoding: "ok",
  ResponseContentLanguage: "ok",
  ResponseContentType: "ok",
  ResponseExpires: "ok",
};
const LISTING = { Prefix: "ok", Delimiter: "ok", EncodingType: { url: "ok" } };

/**
 * The operations that the store offers, and the inputs that it honours. Every other input of the SDK must be refused, also
 * one that a later SDK adds. "ok" means that another test shows the effect, or that the value asks for what the store does.
 */
export const OFFERED: Record<string, { base: Base; honoured: Record<string, Outcomes> }> = {
  ListBuckets: {
    base: async () => ({}),
    honoured: {
      Prefix: "ok",
      MaxBuckets: "ok",
      ContinuationToken: "InvalidArgument",
      BucketRegion: { "us-east-1": "ok" },
    },
  },
  CreateBucket: {
    base: async () => ({ Bucket: "new-bucket" }),
    honoured: {
      ACL: { private: "ok" },
      ObjectOwnership: { BucketOwnerEnforced: "ok" },
      ObjectLockEnabledForBucket: { false: "ok" },
      "CreateBucketConfiguration.LocationConstraint": { "us-east-1": "ok" },
    },
  },
  HeadBucket: { base: inBucket, honoured: {} },
  DeleteBucket: {
    base: async ({ client }) => {
      await client.send(new CreateBucketCommand({ Bucket: "new-bucket" }));
      return { Bucket: "new-bucket" };
    },
    honoured: {},
  },
  GetBucketLocation: { base: inBucket, honoured: {} },
  ListObjects: { base: inBucket, honoured: { ...ALL, ...LISTING, MaxKeys: "ok", Marker: "ok" } },
  ListObjectsV2: {
    base: inBucket,
    honoured: {
      ...ALL,
      ...LISTING,
      MaxKeys: "ok",
      StartAfter: "ok",
      FetchOwner: "ok",
      ContinuationToken: "InvalidArgument",
    },
  },
  DeleteObjects: {
    base: async () => ({ Bucket: BUCKET, Delete: { Objects: [{ Key: "k" }] } }),
    honoured: {
      ...ALL,
      ChecksumAlgorithm: ALGORITHMS,
      "Delete.Quiet": "ok",
      "Delete.Objects.Key": "ok",
      "Delete.Objects.ETag": "ok",
    },
  },
  ListMultipartUploads: {
    base: inBucket,
    honoured: {
      ...ALL,
      ...LISTING,
      Delimiter: "NotImplemented",
      MaxUploads: "ok",
      KeyMarker: "ok",
      UploadIdMarker: "ok",
    },
  },
  PutBucketCors: {
    base: async () => CORS,
    honoured: {
      ChecksumAlgorithm: ALGORITHMS,
      ContentMD5: "InvalidDigest",
      "CORSConfiguration.CORSRules.AllowedMethods": "InvalidRequest",
      "CORSConfiguration.CORSRules.AllowedOrigins": "ok",
      "CORSConfiguration.CORSRules.AllowedHeaders": "ok",
      "CORSConfiguration.CORSRules.ExposeHeaders": "ok",
      "CORSConfiguration.CORSRules.ID": "ok",
      "CORSConfiguration.CORSRules.MaxAgeSeconds": "ok",
    },
  },
  GetBucketCors: {
    base: async ({ client }) => {
      await client.send(new PutBucketCorsCommand(CORS));
      return { Bucket: BUCKET };
    },
    honoured: {},
  },
  DeleteBucketCors: { base: inBucket, honoured: {} },
  PutPublicAccessBlock: {
    base: async () => BLOCK,
    honoured: {
      ChecksumAlgorithm: ALGORITHMS,
      ContentMD5: "InvalidDigest",
      "PublicAccessBlockConfiguration.BlockPublicAcls": "ok",
      "PublicAccessBlockConfiguration.IgnorePublicAcls": "ok",
      "PublicAccessBlockConfiguration.BlockPublicPolicy": "ok",
      "PublicAccessBlockConfiguration.RestrictPublicBuckets": "ok",
    },
  },
  GetPublicAccessBlock: {
    base: async ({ client }) => {
      await client.send(new PutPublicAccessBlockCommand(BLOCK));
      return { Bucket: BUCKET };
    },
    honoured: {},
  },
  DeletePublicAccessBlock: { base: inBucket, honoured: {} },
  PutObject: {
    base: async () => ({ Bucket: BUCKET, Key: "k", Body: "x" }),
    honoured: { ...ALL, ...BODY, ...STORED, ...WRITE_CONDITIONS, ContentLength: "ok" },
  },
  CopyObject: {
    base: async ({ client }) => {
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: "copy", Body: "x" }));
      return { Bucket: BUCKET, Key: "copy", CopySource: `${BUCKET}/k` };
    },
    honoured: {
      ...ALL,
      ...STORED,
      ...WRITE_CONDITIONS,
      CopySourceIfMatch: "PreconditionFailed",
      CopySourceIfNoneMatch: "ok",
      CopySourceIfUnmodifiedSince: "PreconditionFailed",
      CopySourceIfModifiedSince: "ok",
      MetadataDirective: { COPY: "ok", REPLACE: "ok" },
      TaggingDirective: { COPY: "ok" },
      ChecksumAlgorithm: ALGORITHMS,
    },
  },
  GetObject: { base: ofObject, honoured: { ...ALL, ...READ } },
  HeadObject: {
    base: ofObject,
    honoured: {
      ...ALL,
      ...READ,
      IfMatch: "412",
      IfUnmodifiedSince: "412",
      Range: { 1: "ok", "bytes=9-": "416" },
    },
  },
  DeleteObject: { base: ofObject, honoured: { ...ALL, IfMatch: "PreconditionFailed" } },
  GetObjectTagging: { base: ofObject, honoured: ALL },
  CreateMultipartUpload: {
    base: ofObject,
    honoured: { ...ALL, ...STORED, ChecksumAlgorithm: ALGORITHMS },
  },
  UploadPart: {
    base: async (store) => ({ ...(await ofUpload(store)), PartNumber: 1, Body: "x" }),
    honoured: { ...ALL, ...BODY, ContentLength: "ok" },
  },
  UploadPartCopy: {
    base: async (store) => ({ ...(await ofUpload(store)), PartNumber: 1, CopySource: `${BUCKET}/k` }),
    honoured: {
      ...ALL,
      CopySourceIfMatch: "PreconditionFailed",
      CopySourceIfNoneMatch: "ok",
      CopySourceIfUnmodifiedSince: "PreconditionFailed",
      CopySourceIfModifiedSince: "ok",
      CopySourceRange: { 1: "InvalidArgument", "bytes=0-0": "ok" },
    },
  },
  CompleteMultipartUpload: {
    base: async (store) => {
      const names = await ofUpload(store);
      const { ETag } = await store.client.send(new UploadPartCommand({ ...names, PartNumber: 1, Body: "x" }));
      return { ...names, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } };
    },
    honoured: {
      ...ALL,
      ...WRITE_CONDITIONS,
      ...CHECKSUMS,
      // Without an announced checksum, only one of all bytes fits.
      ChecksumSHA1: "InvalidRequest",
      ChecksumSHA256: "InvalidRequest",
      ChecksumType: { FULL_OBJECT: "ok" },
      MpuObjectSize: "ok",
      "MultipartUpload.Parts.ETag": "InvalidPart",
      "MultipartUpload.Parts.PartNumber": "ok",
      ...PART_CHECKSUMS,
    },
  },
  ListParts: { base: ofUpload, honoured: { ...ALL, MaxParts: "ok", PartNumberMarker: "ok" } },
  AbortMultipartUpload: { base: ofUpload, honoured: ALL },
};
