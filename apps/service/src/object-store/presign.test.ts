import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, test } from "vitest";
import { type Encryption, encryptionHeaders, encryptionInput } from "./encryption.js";
import type { PresignGetOptions, PresignPutOptions } from "./object-store.js";
import { createPresigner } from "./presign.js";

const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
/** Temporary keys. The characters of the token are those of base64. */
const session = (name: string) => ({ ...credentials, sessionToken: `${name}+/token==`.repeat(40) });
const region = "eu-central-1";
const bucket = "my.bucket";
const signedAt = new Date("2026-11-21T08:09:10Z");
const options: PresignPutOptions = {
  path: "projects/p/tenants/t/x_a.txt",
  contentType: "text/plain",
  sizeBytes: undefined,
  contentMd5: undefined,
  signedAt,
  expiresInSeconds: 3600,
};

/** A client of the SDK that adds no checksums to its URLs. */
const sdkClient = (endpoint: string, keys: { accessKeyId: string; secretAccessKey: string } = credentials) =>
  new S3Client({
    endpoint,
    region,
    credentials: keys,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });

/** The expected URL: the SDK signs the same headers. */
async function bySdk(
  endpoint: string,
  { path, contentType, cacheControl, sizeBytes, contentMd5 }: PresignPutOptions,
  encryption: Encryption | null = null,
): Promise<string> {
  const headers = new Set([
    "host",
    "content-type",
    "content-length",
    "content-md5",
    "cache-control",
    ...Object.keys(encryptionHeaders(encryption)),
  ]);
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: path,
    ContentType: contentType,
    CacheControl: cacheControl,
    ContentLength: sizeBytes,
    ContentMD5: contentMd5,
    ...encryptionInput(encryption),
  });
  return getSignedUrl(sdkClient(endpoint), command, {
    signingDate: signedAt,
    expiresIn: 3600,
    signableHeaders: headers,
    unhoistableHeaders: headers,
  });
}

const parts = (url: string) => {
  const { origin, pathname, searchParams } = new URL(url);
  return { origin, pathname, query: Object.fromEntries(searchParams) };
};

describe("a presigned PUT", () => {
  test.each<[string, string, Partial<PresignPutOptions>]>([
    ["of a plain name", "https://s3.eu-central-1.amazonaws.com", {}],
    ["on a port", "http://127.0.0.1:9000", {}],
    ["behind a path", "https://example.com/storage/v1/s3", {}],
    ["with a length", "http://127.0.0.1:9000", { sizeBytes: 12 }],
    ["with a Cache-Control", "http://127.0.0.1:9000", { cacheControl: "public,  max-age=60", sizeBytes: 5 }],
    ["of no bytes", "http://127.0.0.1:9000", { sizeBytes: 0 }],
    ["with an MD5", "http://127.0.0.1:9000", { contentMd5: "XUFAKrxLKna5cZ2REBfFkg==" }],
    ["with both", "http://127.0.0.1:9000", { sizeBytes: 5, contentMd5: "XUFAKrxLKna5cZ2REBfFkg==" }],
    ["of a type with parameters", "http://127.0.0.1:9000", { contentType: 'text/plain; charset="utf-8"' }],
    ["of a type with spaces", "http://127.0.0.1:9000", { contentType: "text/plain;   charset=utf-8 " }],
    ["of a name in Japanese", "http://127.0.0.1:9000", { path: "projects/p/tenants/t/x_見積書_最終_.pdf" }],
    ["of a name with marks", "http://127.0.0.1:9000", { path: "projects/p/tenants/t/x_हिन्दी-._~!'()*.txt" }],
  ])("%s has the same signature as from getSignedUrl", async (_what, endpoint, members) => {
    const { presignPut } = createPresigner({ endpoint, region, bucket, credentials });
    const wanted = { ...options, ...members };
    expect(parts(await presignPut(wanted))).toEqual(parts(await bySdk(endpoint, wanted)));
  });

  test.each([
    ["of Amazon", "https://s3.eu-central-1.amazonaws.com"],
    ["on a port", "http://localhost:9000"],
    ["behind a path", "http://example.com/storage/v1/s3"],
  ])(
    "with the bucket in the host %s has the same signature as from getSignedUrl",
    async (_what, endpoint) => {
      const { presignPut } = createPresigner({
        endpoint,
        region,
        bucket: "files",
        credentials,
        addressing: "virtual",
      });
      const client = new S3Client({
        endpoint,
        region,
        credentials,
        requestChecksumCalculation: "WHEN_REQUIRED",
      });
      const headers = new Set(["host", "content-type"]);
      const command = new PutObjectCommand({
        Bucket: "files",
        Key: options.path,
        ContentType: options.contentType,
      });
      const url = await getSignedUrl(client, command, {
        signingDate: signedAt,
        expiresIn: 3600,
        signableHeaders: headers,
        unhoistableHeaders: headers,
      });
      expect(parts(await presignPut(options))).toEqual(parts(url));
      expect(url).toContain(`//files.${new URL(endpoint).host}/`);
    },
  );

  test.each<[string, Encryption]>([
    ["a key of storage", { algorithm: "AES256" }],
    ["a key of KMS", { algorithm: "aws:kms", keyId: "arn:aws:kms:eu-central-1:1:alias/a b" }],
  ])("with %s has the same signature as from getSignedUrl", async (_what, encryption) => {
    const endpoint = "http://127.0.0.1:9000";
    const { presignPut, encryptionHeaders } = createPresigner({
      endpoint,
      region,
      bucket,
      credentials,
      encryption,
    });
    const wanted = { ...options, sizeBytes: 5, cacheControl: "private" };
    const own = parts(await presignPut(wanted));
    expect(own).toEqual(parts(await bySdk(endpoint, wanted, encryption)));
    expect(own.query["X-Amz-SignedHeaders"]).toBe(
      ["cache-control", "content-length", "content-type", "host", ...Object.keys(encryptionHeaders)].join(
        ";",
      ),
    );
  });

  test("is signed with the key of its day, also after a URL of another day", async () => {
    const endpoint = "http://127.0.0.1:9000";
    const { presignPut } = createPresigner({ endpoint, region, bucket, credentials });
    const first = await presignPut(options);
    await presignPut({ ...options, signedAt: new Date("2026-11-22T00:00:00Z") });
    expect(await presignPut(options)).toBe(first);
  });

  test("signs type, length and MD5 as headers, and adds no checksum parameter", async () => {
    const { presignPut } = createPresigner({
      endpoint: "http://127.0.0.1:9000",
      region,
      bucket,
      credentials,
    });
    const url = await presignPut({ ...options, sizeBytes: 5, contentMd5: "XUFAKrxLKna5cZ2REBfFkg==" });
    expect(new URL(url).searchParams.get("X-Amz-SignedHeaders")).toBe(
      "content-length;content-md5;content-type;host",
    );
    expect(url).not.toMatch(/checksum/i);
  });
});

describe("a presigned GET", () => {
  const download: PresignGetOptions = {
    path: options.path,
    contentDisposition: 'attachment; filename="a.txt"',
    contentType: "text/plain",
    signedAt,
    expiresInSeconds: 604_800,
  };

  async function getBySdk(endpoint: string, wanted: PresignGetOptions): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: wanted.path,
      ResponseCacheControl: wanted.cacheControl,
      ResponseContentDisposition: wanted.contentDisposition,
      ResponseContentType: wanted.contentType,
      ResponseExpires: wanted.expires,
    });
    return getSignedUrl(sdkClient(endpoint), command, {
      signingDate: signedAt,
      expiresIn: wanted.expiresInSeconds,
    });
  }

  test.each<[string, string, Partial<PresignGetOptions>]>([
    ["of a plain name", "https://s3.eu-central-1.amazonaws.com", {}],
    ["on a port", "http://127.0.0.1:9000", { expiresInSeconds: 1 }],
    ["behind a path", "https://example.com/storage/v1/s3", {}],
    [
      "for caches",
      "http://127.0.0.1:9000",
      { cacheControl: "public, must-revalidate", expires: new Date("2026-11-21T09:00:00Z") },
    ],
    ["of a type with a charset", "http://127.0.0.1:9000", { contentType: "text/plain; charset=utf-8" }],
    [
      "with a filename of several scripts",
      "http://127.0.0.1:9000",
      {
        contentDisposition:
          "inline; filename=\"_ _.pdf\"; filename*=UTF-8''%E8%A6%8B%20%F0%9F%99%82%2522!'()*.pdf",
      },
    ],
    ["of a key in Japanese", "http://127.0.0.1:9000", { path: "projects/p/tenants/t/x_見積書_最終_.pdf" }],
  ])("%s has the same signature as from getSignedUrl", async (_what, endpoint, members) => {
    const { presignGet } = createPresigner({ endpoint, region, bucket, credentials });
    const wanted = { ...download, ...members };
    expect(parts(await presignGet(wanted))).toEqual(parts(await getBySdk(endpoint, wanted)));
  });
});

describe.each([
  ["HEAD", HeadObjectCommand],
  ["GET", GetObjectCommand],
] as const)("a %s of the service itself", (method, Command) => {
  test.each([
    ["of a plain name", "https://s3.eu-central-1.amazonaws.com", options.path],
    ["behind a path", "https://example.com/storage/v1/s3", options.path],
    ["of a name with marks", "http://127.0.0.1:9000", "projects/p/tenants/t/x_見積書-._~!'()*+ &.txt"],
  ])("%s has the same signature as from getSignedUrl", async (_what, endpoint, path) => {
    const command = new Command({ Bucket: bucket, Key: path });
    const bySdk = await getSignedUrl(sdkClient(endpoint), command, { signingDate: signedAt, expiresIn: 900 });
    const { presignOwn } = createPresigner({ endpoint, region, bucket, credentials });
    const own = await presignOwn(method, { path, signedAt, expiresInSeconds: 900 });
    expect(parts(own)).toEqual(parts(bySdk));
  });
});

test.each<[string, { number: number; contentMd5?: string }]>([
  ["one part", { number: 1 }],
  ["the last part that an upload can have", { number: 10_000 }],
  ["a part with an MD5", { number: 12, contentMd5: "XUFAKrxLKna5cZ2REBfFkg==" }],
])("a presigned PUT of %s has the same signature as from getSignedUrl", async (_what, part) => {
  const endpoint = "http://127.0.0.1:9000";
  const { path } = options;
  const [uploadId, sizeBytes] = ["2~Yzg.a_b-c/+=", 5 * 1024 ** 2];
  const headers = new Set(["host", "content-length", "content-md5"]);
  const command = new UploadPartCommand({
    Bucket: bucket,
    Key: path,
    UploadId: uploadId,
    PartNumber: part.number,
    ContentLength: sizeBytes,
    ContentMD5: part.contentMd5,
  });
  const expected = await getSignedUrl(sdkClient(endpoint), command, {
    signingDate: signedAt,
    expiresIn: 3600,
    signableHeaders: headers,
    unhoistableHeaders: headers,
  });
  const { presignPart } = createPresigner({ endpoint, region, bucket, credentials });
  const wanted = { path, uploadId, sizeBytes, signedAt, contentMd5: undefined, expiresInSeconds: 3600 };
  expect(parts(await presignPart({ ...wanted, ...part }))).toEqual(parts(expected));
});

test("every URL of temporary keys has the same signature and token as from the SDK, also after the next keys", async () => {
  const endpoint = "http://127.0.0.1:9000";
  const { path } = options;
  let keys = session("first");
  const { presignPut, presignPart, presignGet, presignOwn } = createPresigner({
    endpoint,
    region,
    bucket,
    credentials: async () => keys,
  });
  const get = { path, contentDisposition: "attachment", contentType: "text/plain", signedAt };
  const object = { Bucket: bucket, Key: path };
  const times = { signingDate: signedAt, expiresIn: 3600 };
  for (keys of [session("first"), session("second")]) {
    const client = sdkClient(endpoint, keys);
    const read = { ResponseContentDisposition: "attachment", ResponseContentType: "text/plain" };
    const signing = (...names: string[]) => {
      const headers = new Set(["host", "content-length", ...names]);
      return { ...times, signableHeaders: headers, unhoistableHeaders: headers };
    };
    const sized = { ContentLength: 5 };
    const pairs = [
      [
        await presignPut({ ...options, sizeBytes: 5 }),
        await getSignedUrl(
          client,
          new PutObjectCommand({ ...object, ...sized, ContentType: "text/plain" }),
          signing("content-type"),
        ),
      ],
      [
        await presignPart({ ...options, uploadId: "u", number: 2, sizeBytes: 5 }),
        await getSignedUrl(
          client,
          new UploadPartCommand({ ...object, ...sized, UploadId: "u", PartNumber: 2 }),
          signing(),
        ),
      ],
      [
        await presignGet({ ...get, expiresInSeconds: 3600 }),
        await getSignedUrl(client, new GetObjectCommand({ ...object, ...read }), times),
      ],
      [
        await presignOwn("HEAD", { path, signedAt, expiresInSeconds: 3600 }),
        await getSignedUrl(client, new HeadObjectCommand(object), times),
      ],
    ] as const;
    for (const [ours, sdks] of pairs) {
      expect(parts(ours)).toEqual(parts(sdks));
      expect(parts(ours).query["X-Amz-Security-Token"]).toBe(keys.sessionToken);
    }
  }
});
