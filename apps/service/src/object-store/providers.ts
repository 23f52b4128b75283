import { encryptionHeaders } from "./encryption.js";
import type { CorsRule } from "./object-store.js";

/** An S3 store, as its own documentation describes it. `null`: the documentation that we read does not say it. */
export interface Provider {
  name: string;
  /** The host of S3_ENDPOINT; its group is the region. Null: a server of your own, which no host names. */
  host: RegExp | null;
  /** S3_ENDPOINT, with capitals for what is yours. */
  endpoint: string;
  /** S3_REGION: a fixed value, or what it has to be. */
  region: string;
  /** How the bucket stands in the address. */
  addressing: "path" | "path and virtual" | null;
  cors: { form: CorsForm; setBy: string };
  /** The largest number of parts of an upload. */
  maxParts: number | null;
  /** Whether `If-None-Match: *` keeps a PUT from replacing an object. False: storage refuses the header. */
  conditionalWrites: boolean | null;
  checksums: string | null;
  deviations: string | null;
  /** Pages of the provider, or of the project that makes the store. */
  sources: string[];
  /** When we read them. */
  readOn: string;
  /** What was run here. Null: nothing. */
  runByUs: string | null;
}

/** How the rules for pages are written: in S3's call, or in a form that only this provider has. */
export type CorsForm = "aws" | "json" | "gcloud" | "swift" | "rustfs" | "none";

const S3_KEYS = "keys with s3:PutBucketCORS";
const readOn = "2026-11-29";

/** The stores that customers use. `stowage doctor`, `stowage cors apply`, the dashboard and docs/storage.md read it. */
export const providers: Provider[] = [
  {
    name: "Amazon S3",
    host: /^s3(?:-fips)?(?:\.dualstack)?(?:[.-]([a-z]+(?:-[a-z]+)+-\d))?\.amazonaws\.(?:com(?:\.cn)?|eu)$/,
    endpoint: "https://s3.REGION.amazonaws.com",
    region: "REGION",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: S3_KEYS },
    maxParts: 10_000,
    conditionalWrites: true,
    checksums: null,
    deviations: null,
    sources: [
      "https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html",
      "https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html",
      "https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "Cloudflare R2",
    host: /\.r2\.cloudflarestorage\.com$/,
    endpoint: "https://ACCOUNT.r2.cloudflarestorage.com",
    region: "auto",
    addressing: "path and virtual",
    cors: { form: "json", setBy: "dashboard: bucket, Settings, CORS Policy, JSON" },
    maxParts: 10_000,
    conditionalWrites: true,
    checksums: "CRC64NVME of the object; CRC32, CRC32C, SHA-1, SHA-256 of the parts",
    deviations:
      "no bucket policies, ACLs and versions: use an API token for objects of this bucket. CORS rules may need 30 s. No answer 100 to Expect",
    sources: [
      "https://developers.cloudflare.com/r2/api/s3/api/",
      "https://developers.cloudflare.com/r2/api/s3/extensions/",
      "https://developers.cloudflare.com/r2/buckets/cors/",
      "https://developers.cloudflare.com/r2/platform/limits/",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "Backblaze B2",
    host: /^s3\.([a-z0-9-]+)\.backblazeb2\.com$/,
    endpoint: "https://s3.REGION.backblazeb2.com",
    region: "REGION",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: S3_KEYS },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "every bucket keeps versions: a lifecycle rule must remove hidden ones",
    sources: [
      "https://www.backblaze.com/apidocs/s3-put-bucket-cors",
      "https://www.backblaze.com/docs/cloud-storage-lifecycle-rules",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "Wasabi",
    host: /^s3(?:\.([a-z0-9-]+))?\.wasabisys\.com$/,
    endpoint: "https://s3.REGION.wasabisys.com",
    region: "REGION",
    addressing: "path and virtual",
    cors: { form: "json", setBy: "console: bucket, Settings, Permissions, CORS" },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "a bucket without rules has default ones",
    sources: ["https://docs.wasabi.com/docs/cross-origin-resource-sharing-cors"],
    readOn,
    runByUs: null,
  },
  {
    name: "DigitalOcean Spaces",
    host: /^([a-z0-9]+)\.digitaloceanspaces\.com$/,
    endpoint: "https://REGION.digitaloceanspaces.com",
    region: "REGION",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: "keys of the bucket; the control panel has fewer options" },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: null,
    sources: ["https://docs.digitalocean.com/products/spaces/how-to/configure-cors/"],
    readOn,
    runByUs: null,
  },
  {
    name: "Scaleway",
    host: /^s3\.([a-z-]+)\.scw\.cloud$/,
    endpoint: "https://s3.REGION.scw.cloud",
    region: "REGION",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: "API key of an owner, or with IAM permissions" },
    maxParts: 1000,
    conditionalWrites: null,
    checksums: null,
    deviations: null,
    sources: [
      "https://www.scaleway.com/en/docs/object-storage/api-cli/multipart-uploads/",
      "https://www.scaleway.com/en/docs/object-storage/api-cli/setting-cors-rules/",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "OVHcloud",
    host: /^s3\.([a-z0-9-]+)\.io\.cloud\.ovh\.(?:net|us)$/,
    endpoint: "https://s3.REGION.io.cloud.ovh.net",
    region: "REGION",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: "credentials with permissions on the bucket" },
    maxParts: 10_000,
    conditionalWrites: true,
    checksums: null,
    deviations:
      "300 PUT and 900 GET a second and bucket, and more by and by. If-Match takes an ETag without quotes",
    sources: [
      "https://github.com/ovh/docs/blob/develop/pages/storage_and_backup/object_storage/s3_limitations/guide.en-gb.md",
      "https://github.com/ovh/docs/blob/develop/pages/storage_and_backup/object_storage/s3_setting_up_cors/guide.en-gb.md",
      "https://github.com/ovh/docs/blob/develop/pages/storage_and_backup/object_storage/s3_conditional_writes/guide.en-gb.md",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "Hetzner",
    host: /^([a-z0-9]+)\.your-objectstorage\.com$/,
    endpoint: "https://LOCATION.your-objectstorage.com",
    region: "LOCATION",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: "any key of the project" },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "each key reaches every bucket of its project: use a project of its own",
    sources: ["https://docs.hetzner.com/storage/object-storage/faq/buckets-objects"],
    readOn,
    runByUs: null,
  },
  {
    name: "Tigris",
    host: /^(?:t3\.storage\.dev|fly\.storage\.tigris\.dev)$/,
    endpoint: "https://t3.storage.dev",
    region: "auto",
    addressing: null,
    cors: { form: "aws", setBy: S3_KEYS },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "the bucket has no location of its own",
    sources: ["https://www.tigrisdata.com/docs/api/s3/"],
    readOn,
    runByUs: null,
  },
  {
    name: "Google Cloud Storage (XML)",
    host: /^storage\.googleapis\.com$/,
    endpoint: "https://storage.googleapis.com",
    region: "auto",
    addressing: "path and virtual",
    cors: { form: "gcloud", setBy: "an account with storage.buckets.update" },
    maxParts: 10_000,
    conditionalWrites: null,
    checksums: null,
    deviations: "keys are HMAC keys. Its CORS document is not that of S3, and its console has none",
    sources: [
      "https://cloud.google.com/storage/docs/multipart-uploads",
      "https://cloud.google.com/storage/docs/using-cors",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "Ceph",
    host: null,
    endpoint: "https://s3.example.com",
    region: "any",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: S3_KEYS },
    maxParts: 10_000,
    conditionalWrites: true,
    checksums: "Content-MD5; a wrong x-amz-checksum-sha256 is ignored",
    deviations:
      "unsigned x-amz-acl and x-amz-copy-source, see above. The first answer to CompleteMultipartUpload has an empty ETag, and its If-None-Match and the condition of a copy are ignored; Stowage needs none of them. PutBucketEncryption needs a configured key manager",
    sources: ["https://docs.ceph.com/en/latest/radosgw/s3/"],
    readOn,
    runByUs: "16.2.15, `npx pnpm lab ceph`",
  },
  {
    name: "Garage",
    host: null,
    endpoint: "https://s3.example.com",
    region: "s3_region of its file",
    addressing: "path and virtual",
    cors: { form: "aws", setBy: "a key that owns the bucket" },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "no policies, ACLs and versions. Calls that it lacks answer 501",
    sources: ["https://garagehq.deuxfleurs.fr/documentation/reference-manual/s3-compatibility/"],
    readOn,
    runByUs: null,
  },
  {
    name: "SeaweedFS",
    host: null,
    endpoint: "https://s3.example.com",
    region: "any",
    addressing: null,
    cors: {
      form: "aws",
      setBy: "keys of the bucket, since July 2025; for all buckets `weed s3 -allowedOrigins`",
    },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "3.97 sends no Vary: Origin",
    sources: [
      "https://github.com/seaweedfs/seaweedfs/pull/6987",
      "https://github.com/seaweedfs/seaweedfs/issues/7544",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "RustFS",
    host: null,
    endpoint: "https://s3.example.com",
    region: "any",
    addressing: "path and virtual",
    cors: { form: "rustfs", setBy: "who starts the server" },
    maxParts: null,
    conditionalWrites: null,
    checksums: null,
    deviations: "without RUSTFS_CORS_ALLOWED_ORIGINS no page may upload",
    sources: [
      "https://docs.rustfs.com/administration/cors",
      "https://docs.rustfs.com/administration/protocols/s3",
    ],
    readOn,
    runByUs: null,
  },
  {
    name: "OpenStack Swift",
    host: null,
    endpoint: "https://swift.example.com",
    region: "location of s3api",
    addressing: "path",
    cors: { form: "swift", setBy: "the owner of the container, and who starts the proxy server" },
    maxParts: 1000,
    conditionalWrites: false,
    checksums: "Content-MD5; a wrong x-amz-checksum-sha256 is ignored",
    deviations:
      "no API for CORS rules; parts have rules of their own, in the container BUCKET+segments; no Vary: Origin. Swift accepts a part that a client sends again after the upload is complete, and other bytes make the file unreadable: give content_md5. s3api asks every reader for a signature, so set PUBLIC_BASE_URL to the address of the container in Swift's own API. max_upload_part_num limits the parts",
    sources: [
      "https://github.com/openstack/swift/blob/master/swift/common/middleware/s3api/s3api.py",
      "https://docs.openstack.org/swift/latest/cors.html",
      "https://docs.openstack.org/swift/latest/s3_compat.html",
    ],
    readOn,
    runByUs: "2.30.1 with tempauth, `npx pnpm lab swift`",
  },
  {
    name: "Supabase Storage",
    host: /\.supabase\.co$/,
    endpoint: "https://PROJECT.storage.supabase.co/storage/v1/s3",
    region: "the region where your Supabase project is",
    addressing: "path",
    cors: { form: "none", setBy: "nobody" },
    maxParts: null,
    conditionalWrites: null,
    checksums: "not Content-MD5",
    deviations: "no API for CORS rules, no versions",
    sources: ["https://supabase.com/docs/guides/storage/s3/compatibility"],
    readOn,
    runByUs: null,
  },
];

/** @returns the provider that the host of an endpoint names, and the region in it. Null: it names none */
export function findProvider(endpoint: string): { provider: Provider; region: string | null } | null {
  const hostname = hostOf(endpoint);
  for (const provider of providers) {
    const match = provider.host?.exec(hostname);
    if (!match) continue;
    return { provider, region: match[1] ?? (provider.region === "auto" ? "auto" : null) };
  }
  return null;
}

/** The host without the dot at the end of a complete name, and without the port. */
function hostOf(endpoint: string): string {
  return new URL(endpoint).hostname.replace(/\.$/, "");
}

/**
 * Whether an endpoint is one of Amazon's for S3, also one that names no provider above, such as those of a VPC. A load balancer or a machine
 * at Amazon is not: it may have another store behind it.
 */
export function isAmazonS3(endpoint: string): boolean {
  const host = hostOf(endpoint);
  return (
    /(?:^|\.)s3(?:[.-][a-z0-9.-]+)?\.amazonaws\.(?:com(?:\.cn)?|eu)$/.test(host) && !host.includes(".elb.")
  );
}

/** The server of an endpoint, in a form that can be compared. Those of Amazon have the same buckets. */
export function serverOf(endpoint: string): string {
  if (isAmazonS3(endpoint)) return /amazonaws\..+$/.exec(hostOf(endpoint))![0];
  const { port, pathname } = new URL(endpoint);
  return `${hostOf(endpoint)}:${port}${pathname.replace(/\/+$/, "")}`;
}

/** What a page sends with a PUT, for storage that takes no `*`. Those of S3_ENCRYPTION too, so that a later change needs no new rule. */
const PUT_HEADERS = [
  "Content-Type",
  "Content-MD5",
  "Cache-Control",
  ...Object.keys(encryptionHeaders({ algorithm: "aws:kms", keyId: "any" })),
];

/** A rule for a bucket, in the form of its provider, to be pasted. */
export function writeCorsForm(
  form: CorsForm,
  { rule, bucket, endpoint }: { rule: Omit<CorsRule, "id">; bucket: string; endpoint: string },
): string {
  const { origins, methods, headers, exposedHeaders, maxAgeSeconds } = rule;
  const rules = [
    {
      AllowedOrigins: origins,
      AllowedMethods: methods,
      AllowedHeaders: headers,
      ExposeHeaders: exposedHeaders,
      MaxAgeSeconds: maxAgeSeconds,
    },
  ];
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  switch (form) {
    case "aws":
      return `aws s3api put-bucket-cors --endpoint-url ${endpoint} --bucket ${bucket} --cors-configuration '${json({ CORSRules: rules })}'`;
    case "json":
      return json(rules);
    case "gcloud": {
      // One list is both what pages may send and what they may read.
      const responseHeader = [...PUT_HEADERS, ...exposedHeaders];
      const cors = [{ origin: origins, method: methods, responseHeader, maxAgeSeconds }];
      return `cat > cors.json <<'END'\n${json(cors)}\nEND\ngcloud storage buckets update gs://${bucket} --cors-file=cors.json`;
    }
    case "swift":
      return [
        // s3api keeps parts in a container of its own, and pages read their ETags.
        ...[bucket, `${bucket}+segments`].flatMap((container) => [
          `swift post '${container}' \\`,
          `  -H 'X-Container-Meta-Access-Control-Allow-Origin: ${origins.join(" ")}' \\`,
          `  -H 'X-Container-Meta-Access-Control-Expose-Headers: ${exposedHeaders.join(" ")}' \\`,
          `  -H 'X-Container-Meta-Access-Control-Max-Age: ${maxAgeSeconds}'`,
        ]),
        "# and in proxy-server.conf, below [filter:s3api]:",
        `cors_preflight_allow_origin = ${origins.join(",")}`,
      ].join("\n");
    case "rustfs":
      return `RUSTFS_CORS_ALLOWED_ORIGINS="${origins.join(",")}"`;
    case "none":
      return "This storage has no setting for CORS rules. If stowage doctor reports the line CORS, put a proxy in front of it that adds the headers.";
  }
}
