import { createPrivateKey } from "node:crypto";
import * as z from "zod";
import { baseUrl, bucketName, required, wholeNumber } from "./parsers.js";
import type { Encryption } from "../object-store/encryption.js";
import { setting, type SettingGroup } from "./setting.js";

export const storage = {
  S3_ENDPOINT: setting(required.pipe(baseUrl), {
    value: "URL",
    meaning: "Where this service reaches S3: [storage in production](storage.md).",
    neededBy: "everyone",
  }),
  S3_PUBLIC_ENDPOINT: setting(baseUrl.optional(), {
    value: "URL",
    ifUnset: "`S3_ENDPOINT`",
    meaning: "Where browsers reach S3. Presigned URLs begin with it.",
    neededBy: "storage that has another address inside of your network",
  }),
  S3_REGION: setting(z.string().default("us-east-1"), {
    value: "region",
    meaning: "The region that signatures name.",
    neededBy: "storage with regions",
  }),
  S3_ADDRESSING: setting(
    z.enum(["auto", "path", "virtual"], { error: "must be auto, path or virtual" }).default("auto"),
    {
      meaning: "Where an [address](storage.md#addressing) has the bucket. `auto` finds it out at start.",
      neededBy: "storage of which `auto` is wrong",
    },
  ),
  S3_BUCKET: setting(bucketName, {
    value: "bucket",
    meaning: "The bucket of all files that are not public.",
    neededBy: "everyone",
  }),
  S3_ACCESS_KEY_ID: setting(z.string().optional(), {
    value: "text",
    ifUnset: "[temporary credentials](storage.md#temporary-credentials) of the platform",
    meaning: "The access key. It needs [these rights](storage.md#bucket-policy).",
    neededBy: "storage with static keys",
  }),
  S3_SECRET_ACCESS_KEY: setting(z.string().optional(), {
    value: "secret",
    ifUnset: "as for `S3_ACCESS_KEY_ID`",
    meaning: "The secret of the access key. Set both or none. [How to change it](keys.md).",
    neededBy: "storage with static keys",
  }),
  S3_ENCRYPTION: setting(
    z
      .string()
      .regex(/^(none|AES256|aws:kms(:[\w+=,.@/:-]{1,2048})?)$/, {
        error: "must be none, AES256, aws:kms or aws:kms: and the ID of a key",
      })
      .prefault("none")
      .transform(toEncryption),
    {
      value: "`none`, `AES256`, `aws:kms` or `aws:kms:` and the ID of a key",
      ifUnset: "`none`",
      meaning: "The [encryption](storage.md#encryption-at-rest) that each upload asks storage for.",
      neededBy: "buckets whose policy demands it",
    },
  ),
  S3_MAX_PARTS: setting(wholeNumber(2, 10_000).default(10_000), {
    value: "number",
    meaning: "The largest part number that storage takes. The service chooses the size of parts by it.",
    neededBy: "[storage](storage.md#products) that takes fewer than 10,000 parts",
  }),
  S3_TIMEOUT_MS: setting(wholeNumber(100, 60_000).default(5000), {
    value: "milliseconds",
    meaning: "Time limit for one call to S3. After it the request is answered with 503.",
    neededBy: "slow storage",
  }),
  STORAGES_FILE: setting(z.string().optional(), {
    value: "path",
    ifUnset: "the settings above describe the one storage",
    meaning:
      "A JSON file with [several storages](storages.md). It stands in place of the other settings of storage, except `S3_TIMEOUT_MS`.",
    neededBy: "a storage per region or customer",
  }),
} satisfies SettingGroup;

export const publicFiles = {
  S3_PUBLIC_BUCKET: setting(bucketName.optional(), {
    value: "bucket",
    ifUnset: "files cannot be public",
    meaning: "The bucket of [public files](public-files.md). Everyone can read its objects.",
    neededBy: "public files",
  }),
  PUBLIC_BASE_URL: setting(baseUrl.transform((url) => url.replace(/\/+$/, "")).optional(), {
    value: "URL",
    ifUnset: "the bucket on `S3_PUBLIC_ENDPOINT`",
    meaning: "Where everyone reads public files.",
    neededBy: "public files behind a [CDN](cdn.md)",
  }),
  PRIVATE_BASE_URL: setting(baseUrl.transform((url) => url.replace(/\/+$/, "")).optional(), {
    value: "URL",
    ifUnset: "browsers download from `S3_PUBLIC_ENDPOINT`",
    meaning:
      "The bucket of private files at a CDN that checks signatures. Downloads are signed for it. Needs `CDN`.",
    neededBy: "private files behind a [CDN](cdn.md)",
  }),
  CDN: setting(z.enum(["bunny", "cloudfront"], { error: "must be bunny or cloudfront" }).optional(), {
    ifUnset: "nothing is purged",
    meaning:
      "The [CDN](cdn.md) at `PUBLIC_BASE_URL` and `PRIVATE_BASE_URL`. The service purges what it removes from the buckets.",
    neededBy: "a CDN in front of the buckets",
  }),
  CDN_BUNNY_API_KEY: setting(z.string().optional(), {
    value: "secret",
    ifUnset: "required with `CDN=bunny`",
    meaning: "The API key of the account at Bunny.",
    neededBy: "`CDN=bunny`",
  }),
  CDN_BUNNY_TOKEN_KEY: setting(z.string().optional(), {
    value: "secret",
    ifUnset: "required with `CDN=bunny` and `PRIVATE_BASE_URL`",
    meaning: "The URL token authentication key of the pull zone at `PRIVATE_BASE_URL`.",
    neededBy: "`CDN=bunny` for private files",
  }),
  CDN_CLOUDFRONT_DISTRIBUTION_ID: setting(z.string().optional(), {
    value: "ID",
    ifUnset: "required with `CDN=cloudfront` and `PUBLIC_BASE_URL`",
    meaning: "The distribution at `PUBLIC_BASE_URL`.",
    neededBy: "`CDN=cloudfront` for public files",
  }),
  CDN_CLOUDFRONT_PRIVATE_DISTRIBUTION_ID: setting(z.string().optional(), {
    value: "ID",
    ifUnset: "required with `CDN=cloudfront` and `PRIVATE_BASE_URL`",
    meaning: "The distribution at `PRIVATE_BASE_URL`.",
    neededBy: "`CDN=cloudfront` for private files",
  }),
  CDN_CLOUDFRONT_KEY_PAIR_ID: setting(
    z
      .string()
      .regex(/^[A-Z0-9]+$/, { error: "must be the ID of a public key in CloudFront" })
      .optional(),
    {
      value: "ID",
      ifUnset: "required with `CDN=cloudfront` and `PRIVATE_BASE_URL`",
      meaning: "The public key that CloudFront uses to check signatures.",
      neededBy: "`CDN=cloudfront` for private files",
    },
  ),
  CDN_CLOUDFRONT_PRIVATE_KEY: setting(
    z
      .string()
      .transform((pem) => pem.replaceAll("\\n", "\n"))
      .refine(isRsaKey, { error: "must be an RSA private key in PEM" })
      .optional(),
    {
      value: "secret in PEM; `\\n` stands for a new line",
      ifUnset: "required with `CDN=cloudfront` and `PRIVATE_BASE_URL`",
      meaning: "The RSA private key of `CDN_CLOUDFRONT_KEY_PAIR_ID`.",
      neededBy: "`CDN=cloudfront` for private files",
    },
  ),
  CDN_CLOUDFRONT_ACCESS_KEY_ID: setting(z.string().optional(), {
    value: "text",
    ifUnset: "`S3_ACCESS_KEY_ID`",
    meaning: "The access key of a user who may create invalidations.",
    neededBy: "CloudFront with a user of its own",
  }),
  CDN_CLOUDFRONT_SECRET_ACCESS_KEY: setting(z.string().optional(), {
    value: "secret",
    ifUnset: "`S3_SECRET_ACCESS_KEY`",
    meaning: "The secret of this access key. Set both or none.",
    neededBy: "CloudFront with a user of its own",
  }),
} satisfies SettingGroup;

export const storageEvents = {
  STORAGE_EVENTS_SECRET: setting(z.string().min(16, { error: "must be at least 16 characters" }).optional(), {
    value: "secret, 16 characters or more",
    ifUnset: "the endpoint does not exist",
    meaning: "The secret that storage sends with notifications to `/internal/storage-events`.",
    neededBy: "[storage events](storage-events.md)",
  }),
  STORAGE_EVENTS_SNS_TOPICS: setting(
    z
      .string()
      .regex(/^ *(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+ *(, *|$))+$/, {
        error: "must be ARNs of SNS topics, separated by commas",
      })
      .transform((arns) => arns.split(",").flatMap((arn) => arn.trim() || []))
      .default([]),
    {
      value: "ARNs, separated by commas",
      meaning: "The SNS topics that may send notifications.",
      neededBy: "[storage events](storage-events.md) of AWS",
    },
  ),
} satisfies SettingGroup;

function toEncryption(text: string): Encryption | null {
  if (text === "none") return null;
  if (text === "AES256") return { algorithm: "AES256" };
  const keyId = text.slice("aws:kms:".length);
  return { algorithm: "aws:kms", ...(keyId !== "" && { keyId }) };
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
