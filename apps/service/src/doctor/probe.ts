import type { MultipartClient, MultipartRef, ObjectStore } from "#object-store/object-store.js";

/** One question to the store, with a finding for each possible answer. */
export interface Probe {
  name: string;
  run(context: ProbeContext): Promise<ProbeResult>;
}

/**
 * What a probe found.
 * - `ok`: as it should be
 * - `info`: only information; there is nothing to do
 * - `warn`: uploads work, but something is less safe or less exact than it could be
 * - `fail`: uploads do not work
 */
export interface Finding {
  name: string;
  verdict: "ok" | "info" | "warn" | "fail";
  found: string;
  /** Null if there is nothing to do. */
  whatToDo: string | null;
}

/** A finding without the name of its probe. */
export type ProbeResult = Omit<Finding, "name">;

/** What a probe works with: the configured store, and keys that nothing else uses. */
export interface ProbeContext {
  store: Pick<
    ObjectStore,
    "presignPut" | "presignPart" | "presignGet" | "head" | "remove" | "list" | "check" | keyof MultipartClient
  >;
  /** The endpoint that browsers use. */
  publicEndpoint: string;
  bucket: string;
  clock: () => Date;
  /** Returns an unused key. An object that is stored there is removed after the last probe. */
  newPath(): string;
  /** Starts a multipart upload at a new path. It is aborted after the last probe, and its object is removed. */
  startUpload(): Promise<MultipartRef>;
  /** Sends one HTTP request as a browser would, with a deadline. */
  send(url: string, request?: ProbeRequest): Promise<ProbeResponse>;
}

export interface ProbeRequest {
  method?: "GET" | "PUT" | "POST" | "OPTIONS";
  headers?: Record<string, string>;
  body?: string;
}

export interface ProbeResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** The object that the probes upload. */
export const SAMPLE = "stowage doctor\n";
export const SAMPLE_TYPE = "text/plain";

/** Presigns a PUT of type {@link SAMPLE_TYPE} that is valid for a minute. */
export function presignSample(
  context: ProbeContext,
  path: string,
  signed: { sizeBytes?: number; contentMd5?: string } = {},
): Promise<string> {
  return context.store.presignPut({
    path,
    contentType: SAMPLE_TYPE,
    sizeBytes: signed.sizeBytes,
    contentMd5: signed.contentMd5,
    signedAt: context.clock(),
    expiresInSeconds: 60,
  });
}

/** Presigns the PUT of a part that is valid for a minute. */
export function presignSamplePart(
  context: ProbeContext,
  upload: MultipartRef,
  part: { number: number; sizeBytes: number; contentMd5?: string | undefined },
): Promise<string> {
  return context.store.presignPart({
    ...upload,
    ...part,
    contentMd5: part.contentMd5,
    signedAt: context.clock(),
    expiresInSeconds: 60,
  });
}

/** Uploads {@link SAMPLE} to a new path. */
export async function uploadSample(
  context: ProbeContext,
): Promise<{ path: string; url: string; response: ProbeResponse }> {
  const path = context.newPath();
  const url = await presignSample(context, path);
  const response = await context.send(url, {
    method: "PUT",
    headers: { "Content-Type": SAMPLE_TYPE },
    body: SAMPLE,
  });
  return { path, url, response };
}

export function isSuccess({ status }: ProbeResponse): boolean {
  return status >= 200 && status < 300;
}

/** The status, and the error code if storage sent one: `HTTP 403 SignatureDoesNotMatch`. */
export function describe({ status, body }: ProbeResponse): string {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body)?.[1];
  return `HTTP ${status}${code ? ` ${code}` : ""}`;
}
