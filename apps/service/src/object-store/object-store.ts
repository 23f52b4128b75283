import type { Readable } from "node:stream";
import type { EncryptionHeaders } from "./encryption.js";

/** Object storage as the verbs use it: the bucket of private files and the bucket of public files. */
export interface ObjectStore extends Bucket {
  /** Null: there is none, so no file can be public. */
  published: PublicBucket | null;
}

/** Where the buckets are. */
export interface StorageAddress {
  endpoint: string;
  bucket: string;
  /** Null: there is none. */
  publicBucket: string | null;
}

/** One bucket. */
export interface Bucket extends UrlSigner, StorageClient {}

/** The bucket whose objects everyone can read. Only the service writes there. */
export interface PublicBucket extends Pick<
  Bucket,
  "presignGet" | "downloadUrlsEnd" | "head" | "read" | "remove" | "list" | "readCors" | "writeCors" | "check"
> {
  /** Where everyone reads the object of a path. */
  urlOf(path: string): string;
  /** Copies an object of the private bucket to the same path here. See {@link StorageClient.copyFrom} */
  publish(source: CopySource, headers: CopyHeaders): Promise<CopyOutcome>;
  /** Copies an object of this bucket to the same path of the private one. See {@link StorageClient.copyFrom} */
  takeBack(source: CopySource, headers: CopyHeaders): Promise<CopyOutcome>;
}

/**
 * Signs URLs for browsers. Signing is local and makes no request to storage.
 *
 * @throws {StowageError} `unavailable` from every call, if there are no keys to sign with
 */
export interface UrlSigner {
  /** When temporary keys end, and with them every URL of an upload that is signed now. Null: they do not end. */
  uploadUrlsEnd(): Promise<Date | null>;
  /** The same for downloads. */
  downloadUrlsEnd(): Promise<Date | null>;
  presignPut(options: PresignPutOptions): Promise<string>;
  /** The headers that such a PUT must send too, because its URL signs them. None if the bucket decides on encryption. */
  encryptionHeaders: EncryptionHeaders;
  /** The largest number of a part that storage takes. */
  maxParts: number;
  /** Signs the URL for the PUT of one part of a multipart upload. */
  presignPart(options: PresignPartOptions): Promise<string>;
  presignGet(options: PresignGetOptions): Promise<string>;
}

/** Sends requests to storage. Every call has a deadline and may throw `unavailable`. */
export interface StorageClient extends MultipartClient {
  /** Returns the object that is stored at a path now, or null. */
  head(path: string): Promise<HeadObject | null>;
  /**
   * Starts to read an object. The deadline covers only the time until storage answers.
   *
   * @param signal ends the request and the body. The caller destroys a body that it does not read to its end
   * @param range which bytes of the object @default all
   * @returns null if there is no object
   */
  read(path: string, signal: AbortSignal, range?: ByteRange): Promise<ReadObject | null>;
  /** Writes an object, with one PUT. An object that is there is replaced. */
  write(path: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Copies an object of another bucket to the same path of this one, without its bytes passing the service. It may take storage many
   * seconds, so it has a longer deadline than the other calls. An object of more than 5 GiB cannot be copied.
   *
   * @param headers those that the copy gets; it keeps none of the object
   * @returns the ETag of the copy as storage made it, also if another request has replaced it since; `missing` if there is no object,
   * `changed` if it has another ETag
   */
  copyFrom(bucket: string, source: CopySource, headers: CopyHeaders): Promise<CopyOutcome>;
  /** Deletes an object. A missing object is not an error. */
  remove(path: string): Promise<void>;
  /**
   * Lists one page of the objects under a prefix, in the order of the UTF-8 bytes of their keys.
   *
   * @param cursor the `nextCursor` of the page before; null for the first page
   */
  list(prefix: string, cursor: string | null): Promise<ObjectPage>;
  /** Returns the bucket's CORS rules; none if it has no CORS configuration. */
  readCors(): Promise<CorsRule[]>;
  /** Replaces all CORS rules of the bucket. */
  writeCors(rules: CorsRule[]): Promise<void>;
  /** Resolves if the bucket answers. */
  check(): Promise<void>;
  close(): void;
}

/**
 * Multipart uploads (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html). No checksum algorithm is declared:
 * then storage would refuse parts without a checksum.
 */
export interface MultipartClient {
  /** Starts a multipart upload at a path and returns its ID. A path may have several. */
  createMultipart(path: string, headers: ObjectHeaders): Promise<string>;
  /**
   * Lists one page of the parts that are stored, in the order of their numbers.
   *
   * @param after the `nextCursor` of the page before; 0 for the first page
   * @returns null if storage does not know the upload: it was completed or aborted
   */
  listParts(upload: MultipartRef, after: number): Promise<PartPage | null>;
  /**
   * Makes the parts one object. It may take storage many seconds, so it has a longer deadline than the other calls.
   *
   * @param parts all parts, in the order of their numbers
   * @returns `unknown` if storage does not know the upload, which another call may have completed; `changed` if a part is not the one
   * that was listed; `refused` if storage will never make one object of these parts, for example because one is too small
   */
  completeMultipart(
    upload: MultipartRef,
    parts: Pick<StoredPart, "number" | "etag">[],
  ): Promise<"completed" | "unknown" | "changed" | "refused">;
  /** Removes a multipart upload and its parts. An unknown upload is not an error. A part that is being sent may land afterwards. */
  abortMultipart(upload: MultipartRef): Promise<void>;
  /**
   * Lists one page of the multipart uploads under a prefix, in the order of the UTF-8 bytes of their paths.
   *
   * @param cursor the `nextCursor` of the page before; null for the first page
   */
  listMultiparts(prefix: string, cursor: MultipartCursor | null): Promise<MultipartPage>;
}

export interface MultipartRef {
  path: string;
  /** Storage's ID of the upload. */
  uploadId: string;
}

export interface StoredPart {
  number: number;
  sizeBytes: number;
  /** Without the quotes of the HTTP header. */
  etag: string;
}

export interface PartPage {
  parts: StoredPart[];
  /** Null on the last page. */
  nextCursor: number | null;
}

export interface ListedMultipart extends MultipartRef {
  /** By storage's clock. */
  startedAt: Date;
}

export interface MultipartCursor {
  path: string;
  uploadId: string;
}

export interface MultipartPage {
  uploads: ListedMultipart[];
  /** Null on the last page. */
  nextCursor: MultipartCursor | null;
}

/** What a presigned PUT of a part allows: only this part, only this length and, if given, only these bytes. */
export interface PresignPartOptions extends MultipartRef {
  /** 1 to {@link UrlSigner.maxParts}. */
  number: number;
  sizeBytes: number;
  /** Base64. */
  contentMd5: string | undefined;
  signedAt: Date;
  expiresInSeconds: number;
}

/** The headers that storage keeps with an object and sends with its bytes. */
export interface ObjectHeaders {
  contentType: string;
  /** @default none */
  cacheControl?: string | undefined;
}

export interface CopySource {
  path: string;
  /** Without the quotes of the HTTP header. Only an object with this ETag is copied. */
  etag: string;
}

export interface CopyHeaders extends ObjectHeaders {
  contentDisposition: string;
}

/** The copy, or why there is none. */
export type CopyOutcome = { etag: string } | "missing" | "changed";

/** What a presigned PUT allows: this path, these headers and, if given, only this length and these bytes. */
export interface PresignPutOptions extends ObjectHeaders {
  path: string;
  sizeBytes: number | undefined;
  /** Base64. */
  contentMd5: string | undefined;
  signedAt: Date;
  expiresInSeconds: number;
}

/** The `Cache-Control` of an answer that only the browser may keep. */
export const KEEP_OUT_OF_SHARED_CACHES = "private";

/** What a presigned GET returns, and the headers that storage sets on its response. */
export interface PresignGetOptions {
  path: string;
  contentDisposition: string;
  contentType: string;
  /** @default that of the object */
  cacheControl?: string | undefined;
  /** In whole seconds. @default that of the object */
  expires?: Date | undefined;
  signedAt: Date;
  expiresInSeconds: number;
}

export interface StoredObject {
  sizeBytes: number;
  /** Without the quotes of the HTTP header. */
  etag: string;
}

export interface HeadObject extends StoredObject {
  /** When the upload of the object ended, by storage's clock in whole seconds. Undefined if storage does not say it. */
  lastModified?: Date | undefined;
  contentType?: string | undefined;
}

export interface ByteRange {
  at: number;
  length: number;
}

/** An object that storage sends. */
export interface ReadObject {
  /** Of the bytes that are sent. Without the quotes of the HTTP header. */
  etag: string;
  body: Readable;
}

export interface ListedObject extends StoredObject {
  path: string;
  /** By storage's clock. */
  lastModified: Date;
}

export interface ObjectPage {
  objects: ListedObject[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** Which pages may send requests to the bucket: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
export interface CorsRule {
  id: string | null;
  origins: string[];
  methods: string[];
  /** Request headers that a page may send. */
  headers: string[];
  /** Response headers that a page may read. */
  exposedHeaders: string[];
  maxAgeSeconds: number | null;
}
