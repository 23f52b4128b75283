import { type RandomBytes, randomRef } from "#lib/random.js";
import type { Finding } from "./probe.js";
import type { ProbeContext, ProbeResponse, ProbeRequest, Probe } from "./probe.js";
import { clockSkew } from "./probes/clock-skew.js";
import { cors, noOrigin } from "./probes/cors.js";
import { credentialLifetime, type CredentialTraits } from "./probes/credential-lifetime.js";
import { contentLength, contentMd5, contentType } from "./probes/enforced-headers.js";
import { ifNoneMatch } from "./probes/if-none-match.js";
import { deletes, listing } from "./probes/operator-rights.js";
import { privacy } from "./probes/privacy.js";
import { reachable } from "./probes/reachable.js";
import { type EventsTarget, storageEvents } from "./probes/storage-events.js";
import { unsignedAcl, unsignedCopySource } from "./probes/unsigned-headers.js";
import { upload } from "./probes/upload.js";

export interface RunProbesDeps {
  store: ProbeContext["store"];
  publicEndpoint: string;
  bucket: string;
  clock: () => Date;
  randomBytes: RandomBytes;
  fetch: typeof fetch;
  /** How long one probe may take, all of its requests together. */
  probeTimeoutMs: number;
}

export interface ProbesInput {
  /** Origins of pages that upload, such as `https://app.example.com`. */
  origins: string[];
  credentials: CredentialTraits;
  events: EventsTarget;
}

/** Nothing but the doctor's own objects lies under it. */
const PREFIX = "stowage-doctor/";

/**
 * Tries on the configured store what Stowage relies on, one probe after another, and yields what each found. What the probes
 * stored is removed again. When the bucket does not answer, the probes that need it are left out.
 */
export async function* runProbes(deps: RunProbesDeps, input: ProbesInput): AsyncGenerator<Finding> {
  const { context, cleanUp } = openLab(deps);
  const run = (probe: Probe) => runProbe(probe, context, deps.probeTimeoutMs);
  try {
    const bucket = await run(reachable);
    yield bucket;
    yield await run(clockSkew);
    if (bucket.verdict === "ok") {
      const probes = [
        ...PROBES_OF_THE_BUCKET,
        ...(input.origins.length > 0 ? input.origins.map(cors) : [noOrigin]),
      ];
      for (const probe of probes) yield await run(probe);
    }
    yield await run(credentialLifetime(input.credentials));
    yield await run(storageEvents(input.events));
  } finally {
    await cleanUp();
  }
}

const PROBES_OF_THE_BUCKET = [
  upload,
  contentType,
  contentLength,
  contentMd5,
  ifNoneMatch,
  unsignedAcl,
  unsignedCopySource,
  privacy,
  deletes,
  listing,
];

async function runProbe(probe: Probe, context: ProbeContext, timeoutMs: number): Promise<Finding> {
  const { name } = probe;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return { name, ...(await Promise.race([probe.run(context), deadline])) };
  } catch (error) {
    return { name, verdict: "fail", found: reasonOf(error), whatToDo: NO_ANSWER };
  } finally {
    clearTimeout(timer);
  }
}

const NO_ANSWER =
  "Check that this machine reaches S3_ENDPOINT and S3_PUBLIC_ENDPOINT, and that nothing between changes requests.";

/** `fetch` says "fetch failed" of everything; its cause says what it was. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  return code && !message.includes(code) ? `${code}: ${message}` : message;
}

function openLab(deps: RunProbesDeps): { context: ProbeContext; cleanUp(): Promise<void> } {
  const used: string[] = [];
  const folder = `${PREFIX}${randomRef(deps.randomBytes)}/`;
  const context: ProbeContext = {
    store: deps.store,
    publicEndpoint: deps.publicEndpoint,
    bucket: deps.bucket,
    clock: deps.clock,
    newPath: () => {
      const path = `${folder}${used.length}`;
      used.push(path);
      return path;
    },
    send: (url, request) => send(deps, url, request),
  };
  /** An object that cannot be removed was reported by the probe of deletes, if by any. */
  const cleanUp = async () => {
    await Promise.allSettled(used.map((path) => deps.store.remove(path)));
  };
  return { context, cleanUp };
}

async function send(deps: RunProbesDeps, url: string, request: ProbeRequest = {}): Promise<ProbeResponse> {
  const response = await deps.fetch(url, {
    ...request,
    redirect: "manual",
    signal: AbortSignal.timeout(deps.probeTimeoutMs),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
