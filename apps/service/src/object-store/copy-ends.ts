import type { S3Client } from "@aws-sdk/client-s3";
import { MINUTE_MS } from "#lib/time.js";
import type { StoredObject } from "./object-store.js";
import type { S3Options } from "./s3.js";

/** The buckets that a transfer reads and writes. */
export interface CopyEnds {
  source: S3Options;
  target: S3Options;
  /** Has the keys of the source. */
  reader: S3Client;
  /** Has the keys of the target. */
  writer: S3Client;
}

/** The key of an object, and that of its copy. */
export interface CopyKeys {
  from: string;
  to: string;
}

/** How the bytes get from one bucket to the other one. Both return the ETag that storage answers. */
export interface CopyWay {
  /** Copies an object that was uploaded by a single PUT. */
  copyWhole(keys: CopyKeys, object: StoredObject): Promise<string | undefined>;
  copyPart: CopyPart;
}

/** Copies a part of an object. @returns its ETag */
type CopyPart = (
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  part: { from: string; number: number; at: number; length: number; etag: string },
) => Promise<string | undefined>;

export const place = ({ bucket }: S3Options, path: string) => ({ Bucket: bucket, Key: path });

/** What storage keeps with an object and sends with its bytes. */
export function headersOf(found: KeptHeaders): KeptHeaders {
  const { ContentType, ContentDisposition, CacheControl, ContentEncoding, ContentLanguage, Metadata } = found;
  return { ContentType, ContentDisposition, CacheControl, ContentEncoding, ContentLanguage, Metadata };
}

export interface KeptHeaders {
  ContentType?: string | undefined;
  ContentDisposition?: string | undefined;
  CacheControl?: string | undefined;
  ContentEncoding?: string | undefined;
  ContentLanguage?: string | undefined;
  Metadata?: Record<string, string> | undefined;
}

export interface HttpLimits {
  abortSignal: AbortSignal;
  /** The SDK would warn of each body that takes longer than its own limit. 0: it has none. */
  requestTimeout: 0;
}

/** A body that is sent or received may stand still for this long. */
const STALL_MS = MINUTE_MS;

/**
 * Runs requests that end if there is no sign of progress for a minute.
 *
 * @param work calls `touch` with each sign of progress
 * @param extraMs is added to the minute, for work without signs. @default 0
 */
export async function limited<T>(
  work: (limits: HttpLimits, touch: () => void) => Promise<T>,
  extraMs = 0,
): Promise<T> {
  const stalled = new AbortController();
  const end = () => stalled.abort(new Error("storage sent or took nothing for a minute"));
  const timer = setTimeout(end, STALL_MS + extraMs);
  try {
    return await work({ abortSignal: stalled.signal, requestTimeout: 0 }, () => void timer.refresh());
  } finally {
    clearTimeout(timer);
  }
}
