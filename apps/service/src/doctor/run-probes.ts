import { createHash } from "node:crypto";
import { isPurgeFailure } from "#cdn/cdn.js";
import type { PrivateDelivery } from "#cdn/private-delivery.js";
import { type RandomBytes, randomRef } from "#lib/random.js";
import type { CredentialsProvider } from "#object-store/credentials.js";
import type { MultipartRef, ObjectStore } from "#object-store/object-store.js";
import {
  type Finding,
  NotChecked,
  type Probe,
  type ProbeContext,
  type ProbeRequest,
  SAMPLE_TYPE,
} from "./probe.js";
import type { Send } from "./send.js";
import { clockSkew } from "./probes/clock-skew.js";
import { cors, corsOfDownloads, corsOfParts, noOrigin } from "./probes/cors.js";
import { credentialLifetime, type CredentialTraits } from "./probes/credential-lifetime.js";
import { encryption } from "./probes/encryption.js";
import { contentLength, contentMd5, contentType, ifNoneMatch } from "./probes/enforced-headers.js";
import { head } from "./probes/head.js";
import { partEtag, partLength, partMd5 } from "./probes/enforced-part-headers.js";
import { aborts, deletes, listing, partListing, uploadListing, versions } from "./probes/permissions.js";
import { publicCors } from "./probes/public-cors.js";
import { publicFiles } from "./probes/public-files.js";
import { reachable } from "./probes/reachable.js";
import { type EventsTarget, storageEvents } from "./probes/storage-events.js";
import { privateCdn } from "./probes/private-cdn.js";
import { privacy, unsignedAcl, unsignedCopySource } from "./probes/unsigned-requests.js";
import { uploadByParts } from "./probes/upload-by-parts.js";
import { chunkedPut, expectContinue } from "./probes/unusual-puts.js";
import { downloads, ranges, upload } from "./probes/upload.js";
import { urlLifetime } from "./probes/url-lifetime.js";

export interface RunProbesDeps {
  store: ProbeContext["store"] & Pick<ObjectStore, "published">;
  /** The CDN in front of the private bucket. Null: there is none. */
  delivery: PrivateDelivery | null;
  publicEndpoint: string;
  bucket: string;
  clock: () => Date;
  randomBytes: RandomBytes;
  send: Send;
  /** How long one probe may take in total. */
  probeTimeoutMs: number;
}

export interface ProbesInput {
  /** Origins of pages that upload, such as `https://app.example.com`. */
  origins: string[];
  credentials: CredentialTraits | CredentialsProvider;
  events: EventsTarget;
}

/**
 * Tests the configured store for everything that Stowage relies on, one probe after another, and yields each finding. Removes the
 * objects and uploads that the probes stored. If the bucket is not reachable, the probes that need it are left out.
 */
export async function* runProbes(deps: RunProbesDeps, input: ProbesInput): AsyncGenerator<Finding> {
  const { context, cleanUp, demandsMd5 } = createContext(deps);
  const run = (probe: Probe) => runProbe(probe, context, deps.probeTimeoutMs);
  try {
    const bucket = await run(reachable);
    yield bucket;
    yield await run(clockSkew);
    if (bucket.verdict === "ok") {
      const { origins } = input;
      const corsProbes = origins.flatMap((origin) => [
        cors(origin),
        corsOfParts(origin),
        corsOfDownloads(origin),
      ]);
      const pages = origins.length > 0 ? corsProbes : [noOrigin];
      // Most installations leave encryption to the bucket, so only a setting is worth a line.
      const encrypts = Object.keys(deps.store.encryptionHeaders).length > 0;
      const own = encrypts ? [upload, encryption] : [upload];
      for (const probe of [...own, ...pages, ...bucketProbes]) yield await run(probe);
      if (demandsMd5()) yield MD5_FINDING;
      // Most installations have no public files, so only a configured bucket is worth a line.
      const { published } = deps.store;
      if (published) {
        yield await run(publicFiles(published));
        if (origins.length > 0) yield await run(publicCors(published, origins));
      }
      if (deps.delivery) yield await run(privateCdn(deps.delivery));
    }
    yield await run(credentialLifetime(input.credentials));
    yield await run(storageEvents(input.events));
  } finally {
    await cleanUp();
  }
}

const bucketProbes = [
  head,
  downloads,
  ranges,
  urlLifetime,
  contentType,
  contentLength,
  contentMd5,
  ifNoneMatch,
  expectContinue,
  chunkedPut,
  unsignedAcl,
  unsignedCopySource,
  privacy,
  deletes,
  versions,
  listing,
  uploadByParts,
  partListing,
  partLength,
  partMd5,
  partEtag,
  aborts,
  uploadListing,
];

/** The probes store objects only under this prefix. */
const PREFIX = "stowage-doctor/";

function createContext(deps: RunProbesDeps): {
  context: ProbeContext;
  cleanUp(): Promise<void>;
  /** Whether a PUT was refused for having no MD5. Those that followed had one. */
  demandsMd5(): boolean;
} {
  const usedPaths: string[] = [];
  const uploads: MultipartRef[] = [];
  const folder = `${PREFIX}${randomRef(deps.randomBytes)}/`;
  const newPath = () => {
    const path = `${folder}${usedPaths.length}`;
    usedPaths.push(path);
    return path;
  };
  let demandsMd5 = false;
  const context: ProbeContext = {
    store: deps.store,
    publicEndpoint: deps.publicEndpoint,
    bucket: deps.bucket,
    clock: deps.clock,
    newPath,
    startUpload: async () => {
      const path = newPath();
      const upload = { path, uploadId: await deps.store.createMultipart(path, { contentType: SAMPLE_TYPE }) };
      uploads.push(upload);
      return upload;
    },
    async send(url, request = {}) {
      const options = { timeoutMs: deps.probeTimeoutMs };
      const sent = withEncryption(url, request, deps.store);
      if (demandsMd5) return deps.send(url, withMd5(sent), options);
      const answer = await deps.send(url, sent, options);
      demandsMd5 = isPutWithoutMd5(sent) && answer.status === 400 && MD5_DEMANDED.test(answer.body);
      return demandsMd5 ? deps.send(url, withMd5(sent), options) : answer;
    },
  };
  /** Errors are ignored here: the probes of deletes and aborts report what cannot be removed. */
  const cleanUp = async () => {
    await Promise.allSettled(uploads.map((upload) => deps.store.abortMultipart(upload)));
    await Promise.allSettled(usedPaths.map((path) => deps.store.remove(path)));
  };
  return { context, cleanUp, demandsMd5: () => demandsMd5 };
}

/** As AWS says it of a bucket with Object Lock. */
const MD5_DEMANDED = /<Code>InvalidRequest<.*Content-MD5/s;
const MD5_FINDING: Finding = {
  name: "Checksums",
  verdict: "warn",
  found: "storage takes a PUT only with Content-MD5, as a bucket with Object Lock does",
  whatToDo:
    "Your own clients must give content_md5 in each upload request and for each part. The widget sends an MD5 by itself.",
};

const isPutWithoutMd5 = ({ method, headers = {} }: ProbeRequest) =>
  method === "PUT" && !("Content-MD5" in headers);

/** The URL does not sign it, and storage checks it anyway. */
function withMd5(request: ProbeRequest): ProbeRequest {
  if (!isPutWithoutMd5(request)) return request;
  const md5 = createHash("md5")
    .update(request.body ?? "")
    .digest("base64");
  return { ...request, headers: { ...request.headers, "Content-MD5": md5 } };
}

/** The URL says whether it signs the headers of encryption: that of a part does not. */
function withEncryption(
  url: string,
  request: ProbeRequest,
  { encryptionHeaders }: Pick<ObjectStore, "encryptionHeaders">,
): ProbeRequest {
  const signed = new URL(url).searchParams.get("X-Amz-SignedHeaders")?.split(";") ?? [];
  const own = Object.entries(encryptionHeaders).filter(([name]) => signed.includes(name));
  const isPut = request.method === "PUT" && own.length > 0;
  return isPut ? { ...request, headers: { ...request.headers, ...Object.fromEntries(own) } } : request;
}

async function runProbe(probe: Probe, context: ProbeContext, timeoutMs: number): Promise<Finding> {
  const { name } = probe;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return { name, ...(await Promise.race([probe.run(context), deadline])) };
  } catch (error) {
    if (error instanceof NotChecked)
      return { name, verdict: "skip", found: `not checked: ${error.message}`, whatToDo: null };
    const found = reasonOf(error);
    if (isPurgeFailure(error)) return { name, verdict: "warn", found, whatToDo: NO_PURGE };
    return { name, verdict: "fail", found, whatToDo: NO_ANSWER };
  } finally {
    clearTimeout(timer);
  }
}

const NO_PURGE =
  "Check the keys of the CDN: docs/cdn.md has each step. Until it takes purges, deleted files keep their rows, and no file can be made private.";

const NO_ANSWER =
  "Check that this machine reaches S3_ENDPOINT and S3_PUBLIC_ENDPOINT, and that no proxy on the way changes requests.";

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  return code && !message.includes(code) ? `${code}: ${message}` : message;
}
