import { StowageError } from "@stowage/schemas";
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
 * - `skip`: not checked, because a request that the probe builds on has failed
 */
export interface Finding {
  name: string;
  verdict: "ok" | "info" | "warn" | "fail" | "skip";
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
    | "presignPut"
    | "encryptionHeaders"
    | "maxParts"
    | "presignPart"
    | "presignGet"
    | "head"
    | "remove"
    | "list"
    | "check"
    | keyof MultipartClient
  >;
  /** The endpoint that browsers use. */
  publicEndpoint: string;
  bucket: string;
  clock: () => Date;
  /** Returns an unused key. An object that is stored there is removed after the last probe. */
  newPath(): string;
  /** Starts a multipart upload at a new path. It is aborted after the last probe, and its object is removed. */
  startUpload(): Promise<MultipartRef>;
  /** Sends one HTTP request, with a deadline. A PUT that asks storage to encrypt gets the headers for it. */
  send(url: string, request?: ProbeRequest): Promise<ProbeResponse>;
}

export interface ProbeRequest {
  method?: "GET" | "HEAD" | "PUT" | "POST" | "DELETE" | "OPTIONS";
  headers?: Record<string, string>;
  body?: string;
}

export interface ProbeResponse {
  status: number;
  /** A header that was sent twice is one, joined by a comma, as in browsers. */
  headers: Headers;
  body: string;
}

/** Thrown by a probe that cannot be answered, because a request that it builds on has failed. Its finding is `skip`. */
export class NotChecked extends Error {}

/** The object that the probes upload. */
export const SAMPLE = "stowage doctor\n";
export const SAMPLE_TYPE = "text/plain";
export const SAMPLE_BYTES = Buffer.byteLength(SAMPLE);
export const SAMPLE_HEADERS = { "Content-Type": SAMPLE_TYPE };

export interface Sample {
  body: string;
  contentType: string;
  cacheControl?: string;
}

type SignedPut = Partial<Parameters<ObjectStore["presignPut"]>[0]>;

/** Presigns a PUT of type {@link SAMPLE_TYPE} that is valid for a minute. */
export function presignSample(context: ProbeContext, path: string, signed: SignedPut = {}): Promise<string> {
  return context.store.presignPut({
    path,
    contentType: SAMPLE_TYPE,
    sizeBytes: undefined,
    contentMd5: undefined,
    signedAt: context.clock(),
    expiresInSeconds: 60,
    ...signed,
  });
}

/** Presigns a GET that is valid for a minute. */
export function presignRead(
  context: ProbeContext,
  path: string,
  signed: Partial<Parameters<ObjectStore["presignGet"]>[0]> = {},
): Promise<string> {
  return context.store.presignGet({
    path,
    contentDisposition: "attachment",
    contentType: SAMPLE_TYPE,
    signedAt: context.clock(),
    expiresInSeconds: 60,
    ...signed,
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

/**
 * Uploads a sample to a new path.
 *
 * @throws {NotChecked} if storage refuses it, or the service does not find it there
 */
export async function uploadSample(
  context: ProbeContext,
  { body, contentType, cacheControl }: Sample = { body: SAMPLE, contentType: SAMPLE_TYPE },
): Promise<{ path: string; url: string; response: ProbeResponse }> {
  const path = context.newPath();
  const url = await presignSample(context, path, { contentType, cacheControl });
  const headers = { "Content-Type": contentType, ...(cacheControl && { "Cache-Control": cacheControl }) };
  const response = await context.send(url, { method: "PUT", headers, body });
  if (!isSuccess(response))
    throw new NotChecked(`storage refuses the PUT of a sample (${describe(response)})`);
  const stored = await context.store.head(path).catch(() => null);
  if (stored?.sizeBytes !== Buffer.byteLength(body))
    throw new NotChecked("the service does not find the sample that was uploaded");
  return { path, url, response };
}

/**
 * Starts an upload and sends parts of it, whose numbers are given, each with the bytes of {@link SAMPLE}.
 *
 * @throws {NotChecked} if storage refuses it
 */
export async function uploadSampleParts(context: ProbeContext, ...numbers: number[]): Promise<MultipartRef> {
  const upload = await context.startUpload().catch((error: unknown) => {
    if (error instanceof StowageError) throw new NotChecked("storage does not start a multipart upload");
    throw error;
  });
  for (const number of numbers) {
    const put = await putPart(context, upload, { number, body: SAMPLE });
    if (!isSuccess(put)) throw new NotChecked(`storage refuses the PUT of a part (${describe(put)})`);
  }
  return upload;
}

export async function putPart(
  context: ProbeContext,
  upload: MultipartRef,
  { number, body, headers = {} }: { number: number; body: string; headers?: Record<string, string> },
): Promise<ProbeResponse> {
  const url = await presignSamplePart(context, upload, { number, sizeBytes: body.length });
  return context.send(url, { method: "PUT", headers, body });
}

export function isSuccess({ status }: ProbeResponse): boolean {
  return status >= 200 && status < 300;
}

/** Whether storage refused a request because of what it says. An error, a redirect or a busy server says nothing about the request. */
function isRefusal({ status }: ProbeResponse): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** @throws {NotChecked} if the answer is neither a success nor a refusal */
export function isAccepted(response: ProbeResponse): boolean {
  if (isSuccess(response)) return true;
  if (isRefusal(response)) return false;
  throw new NotChecked(`storage answered ${describe(response)}`);
}

/** The status, and the error code if storage sent one: `HTTP 403 SignatureDoesNotMatch`. */
export function describe({ status, body }: ProbeResponse): string {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body)?.[1];
  return `HTTP ${status}${code ? ` ${code}` : ""}`;
}

export const ok = (found: string): ProbeResult => ({ verdict: "ok", found, whatToDo: null });
export const warn = (found: string, whatToDo: string): ProbeResult => ({ verdict: "warn", found, whatToDo });
export const fail = (found: string, whatToDo: string): ProbeResult => ({ verdict: "fail", found, whatToDo });
