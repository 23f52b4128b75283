import type { ObjectStore } from "#object-store/object-store.js";
import type { Observation } from "./finding.js";

/** Where a probe works: the configured store, with keys that nobody else uses. */
export interface Lab {
  store: Pick<ObjectStore, "presignPut" | "presignGet" | "head" | "remove" | "list" | "check">;
  /** The endpoint as browsers reach it. */
  publicEndpoint: string;
  bucket: string;
  clock: () => Date;
  /** A key that was never used; what is stored there is removed at the end. */
  newPath(): string;
  /** One HTTP request as a browser would make it, with a deadline. */
  send(url: string, request?: LabRequest): Promise<LabAnswer>;
}

export interface LabRequest {
  method?: "GET" | "PUT" | "POST" | "OPTIONS";
  headers?: Record<string, string>;
  body?: string;
}

export interface LabAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** One question to the store, and the words for each answer. */
export interface Probe {
  name: string;
  examine(lab: Lab): Promise<Observation>;
}

/** What a probe stores. */
export const SAMPLE = "stowage doctor\n";
export const SAMPLE_TYPE = "text/plain";

/** A presigned URL for a PUT of {@link SAMPLE_TYPE}, good for a minute. */
export function presignSample(
  lab: Lab,
  path: string,
  signed: { sizeBytes?: number; contentMd5?: string } = {},
): Promise<string> {
  return lab.store.presignPut({
    path,
    contentType: SAMPLE_TYPE,
    sizeBytes: signed.sizeBytes,
    contentMd5: signed.contentMd5,
    signedAt: lab.clock(),
    expiresInSeconds: 60,
  });
}

export function isSuccess({ status }: LabAnswer): boolean {
  return status >= 200 && status < 300;
}

/** `HTTP 403 SignatureDoesNotMatch`: the status, and the code where storage gave one. */
export function describe({ status, body }: LabAnswer): string {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(body)?.[1];
  return `HTTP ${status}${code ? ` ${code}` : ""}`;
}
