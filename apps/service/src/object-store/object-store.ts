/** Object storage as the verbs use it. */
export interface ObjectStore extends UrlSigner, StorageClient {}

/** Signs URLs for browsers. Signing is local and makes no request to storage. */
export interface UrlSigner {
  presignPut(options: PresignPutOptions): Promise<string>;
  presignGet(options: PresignGetOptions): Promise<string>;
}

/** Sends requests to storage. Every call has a deadline and may throw `unavailable`. */
export interface StorageClient {
  /** Returns the object that is stored at a path now, or null. */
  head(path: string): Promise<StoredObject | null>;
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

/** What a presigned PUT allows: this path, this type and, if given, only this length and these bytes. */
export interface PresignPutOptions {
  path: string;
  contentType: string;
  sizeBytes: number | undefined;
  /** Base64. */
  contentMd5: string | undefined;
  signedAt: Date;
  expiresInSeconds: number;
}

/** What a presigned GET returns, and the headers that storage sets on its response. */
export interface PresignGetOptions {
  path: string;
  contentDisposition: string;
  contentType: string;
  signedAt: Date;
  expiresInSeconds: number;
}

export interface StoredObject {
  sizeBytes: number;
  /** Without the quotes of the HTTP header. */
  etag: string;
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
