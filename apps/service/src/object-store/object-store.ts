/** Object storage as the verbs see it. Every call may throw `unavailable`; none hangs. */
export interface ObjectStore {
  /** Signs on this machine, without asking storage. */
  presignPut(upload: PresignPutOptions): Promise<string>;
  /** Signs on this machine, without asking storage. */
  presignGet(download: PresignGetOptions): Promise<string>;
  /** What lies at a path right now, or null. */
  head(path: string): Promise<StoredObject | null>;
  /** Takes an object away; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** A page of what lies under a prefix, in the order of the keys' UTF-8 bytes. `cursor` is the page before's, or null. */
  list(prefix: string, cursor: string | null): Promise<ObjectPage>;
  /** The bucket's CORS rules; none when it has no configuration. */
  readCors(): Promise<CorsRule[]>;
  /** Puts these rules in place of all that are there. */
  writeCors(rules: CorsRule[]): Promise<void>;
  /** Resolves when the bucket answers. */
  check(): Promise<void>;
  close(): void;
}

/** What one presigned PUT allows: this path, this type, and where given this length and these bytes. */
export interface PresignPutOptions {
  path: string;
  contentType: string;
  sizeBytes: number | undefined;
  /** Base64. */
  contentMd5: string | undefined;
  signedAt: Date;
  expiresInSeconds: number;
}

/** What one presigned GET gives out, and the headers that storage is told to answer with. */
export interface PresignGetOptions {
  path: string;
  contentDisposition: string;
  contentType: string;
  signedAt: Date;
  expiresInSeconds: number;
}

export interface StoredObject {
  sizeBytes: number;
  /** Without the quotes that HTTP puts around it. */
  etag: string;
}

export interface ListedObject extends StoredObject {
  path: string;
  /** By the clock of storage. */
  lastModified: Date;
}

export interface ObjectPage {
  objects: ListedObject[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** Which pages may call the bucket: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
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
