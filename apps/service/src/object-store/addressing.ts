import { isIP } from "node:net";
import { MINUTE_MS } from "#lib/time.js";
import { findProvider, isAmazonS3 } from "./providers.js";

/** How the bucket stands in an address: `https://host/bucket/key` or `https://bucket.host/key`. */
export type Addressing = "path" | "virtual";

/** The addressing of an endpoint, which may have to be found out. */
export interface AddressFinder {
  /** Waits only for the first answer of storage, at most one time limit. After that, the answer is there at once. */
  now(): Addressing | Promise<Addressing>;
  /** What is known without waiting. */
  current(): Addressing;
}

/** An endpoint that the settings name. */
export interface Endpoint extends AddressFinder {
  setting: "S3_ENDPOINT" | "S3_PUBLIC_ENDPOINT";
  endpoint: string;
  bucket: string;
  /** Asks storage for an object that does not exist, within a time limit. */
  ask(addressing: Addressing): Promise<StorageAnswer>;
}

/** @param addressing one that never changes, or its finder */
export function toFinder(addressing: Addressing | AddressFinder): AddressFinder {
  return typeof addressing === "object" ? addressing : { now: () => addressing, current: () => addressing };
}

/** Where the objects of a bucket are. */
export interface BucketPlace {
  origin: string;
  /** With its port. */
  host: string;
  /** Begins and ends with a slash. The path of an object follows it. */
  path: string;
}

export function placeOf(endpoint: string, bucket: string, addressing: Addressing): BucketPlace {
  const { protocol, host, pathname } = new URL(endpoint);
  const folder = pathname.replace(/\/*$/, "/");
  if (addressing === "path" || !canBeVirtual(endpoint, bucket))
    return { origin: `${protocol}//${host}`, host, path: `${folder}${bucket}/` };
  return { origin: `${protocol}//${bucket}.${host}`, host: `${bucket}.${host}`, path: folder };
}

/** The certificate of `*.host` is for no name with another dot, and an IP address takes no name before it. */
export function canBeVirtual(endpoint: string, bucket: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return !isAddress(hostname) && !(protocol === "https:" && bucket.includes("."));
}

const isAddress = (hostname: string) => isIP(hostname) !== 0 || hostname.startsWith("[");

/** What storage answered to a GET of an object that does not exist, with the bucket in this place. */
export type StorageAnswer =
  | { status: number; /** The error code of S3. */ code: string | null }
  /** None, with the error code of the network, such as ENOTFOUND. */
  | { status: null; code: string };

export interface FoundAddressing {
  addressing: Addressing;
  /** Completes the sentence "The bucket is in the path of S3_ENDPOINT, because …". */
  because: string;
  /** False: storage gave no answer that says it, and is asked again. */
  isSure: boolean;
}

/**
 * Finds out how storage takes the bucket, by the endpoint alone or by at most two requests at the same time. The path is the choice where
 * storage takes both, because browsers then need no further name. While it is not sure, it asks again once a minute.
 *
 * @param ask must end within a time limit, and never reject
 * @param onFound gets the first answer, and every later one that differs
 */
export function createAddressFinder(
  { endpoint, bucket }: { endpoint: string; bucket: string },
  ask: (addressing: Addressing) => Promise<StorageAnswer>,
  onFound: (found: FoundAddressing) => void = () => undefined,
  now: () => number = () => performance.now(),
): AddressFinder {
  let found: FoundAddressing | null = byEndpoint(endpoint, bucket);
  let first: Promise<Addressing> | null = null;
  let askedAt = now();
  let isAsking = false;
  const learn = (next: FoundAddressing) => {
    if (next.addressing !== found?.addressing || next.isSure !== found.isSure) onFound(next);
    found = next;
    return next.addressing;
  };
  const askBoth = async () => {
    isAsking = true;
    askedAt = now();
    const [path, virtual] = await Promise.all([ask("path"), ask("virtual")]);
    isAsking = false;
    return learn(judgeAnswers(path, virtual));
  };
  if (found) onFound(found);
  return {
    now() {
      if (!found) return (first ??= askBoth());
      // This call does not wait for the answer: storage may be away for long.
      if (!found.isSure && !isAsking && now() - askedAt >= MINUTE_MS) void askBoth();
      return found.addressing;
    },
    current: () => found?.addressing ?? "path",
  };
}

/** @returns null if only storage can say it */
function byEndpoint(endpoint: string, bucket: string): FoundAddressing | null {
  const { hostname } = new URL(endpoint);
  const sure = (addressing: Addressing, because: string) => ({ addressing, because, isSure: true });
  if (isAddress(hostname)) return sure("path", "it is an IP address");
  if (!canBeVirtual(endpoint, bucket))
    return sure("path", "no certificate is for a bucket whose name has dots");
  if (isAmazonS3(endpoint)) return sure("virtual", "it is Amazon's");
  const provider = findProvider(endpoint)?.provider;
  return provider?.addressing === "path" ? sure("path", `${provider.name} takes no other`) : null;
}

/** Alibaba, Huawei, Tencent and Volcengine say so of a bucket in the path. */
const VIRTUAL_ONLY = new Set([
  "SecondLevelDomainForbidden",
  "VirtualHostDomainRequired",
  "PathStyleDomainForbidden",
  "InvalidPathAccess",
]);

/** Whether storage refuses a request because its path names the bucket. */
export const refusesPaths = ({ code }: { code: string | null }) => code !== null && VIRTUAL_ONLY.has(code);

/** Storage found the bucket: the object is missing, or is there. */
export const isAtHome = ({ status, code }: StorageAnswer) =>
  status !== null && (status < 300 || (status === 404 && code === "NoSuchKey"));

export function judgeAnswers(path: StorageAnswer, virtual: StorageAnswer): FoundAddressing {
  if (isAtHome(path)) return { addressing: "path", because: "storage finds it there", isSure: true };
  const refusal = `storage answers ${describeAnswer(path)} to a bucket in the path`;
  if (isAtHome(virtual) || (refusesPaths(path) && virtual.status !== null))
    return { addressing: "virtual", because: refusal, isSure: true };
  return {
    addressing: "path",
    because: `${refusal}, and ${describeAnswer(virtual)} to one in the host; it is asked again every minute`,
    isSure: false,
  };
}

export function describeAnswer({ status, code }: StorageAnswer): string {
  if (status === null) return `nothing (${code})`;
  return code === null ? `HTTP ${status}` : `HTTP ${status} ${code}`;
}
