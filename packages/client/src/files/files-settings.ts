import type {
  BrowserLink,
  BrowserListedFile,
  BrowserShareResponse,
  BrowserUsageResponse,
} from "@stowage/schemas";
import type { ErrorMessages } from "../messages.js";
import type { BackendSettings } from "../network/transport-of.js";
import type { UploadFailure } from "../upload-item.js";

/** A stored file of the user: `file_path`, `filename`, `content_type`, `size` in bytes, `stored_at`, … */
export type ListedFile = BrowserListedFile;
/** The usage and the quota of the user, in bytes: `used_bytes`, `reserved_bytes`, `quota_bytes` (null: none), and `file_count`. */
export type FilesUsage = BrowserUsageResponse;

/** Where a list of stored files comes from, and what it shows. */
export interface FilesSettings extends BackendSettings {
  /** Lists only files that were uploaded by this route of the helper. */
  route?: string | undefined;
  /** Lists only files in this folder, not below it. The helper must allow this with `allowFolders`. */
  folder?: string | undefined;
  /**
   * Files per page, 1 to 100.
   *
   * @default 50
   */
  pageSize?: number | undefined;
  /**
   * Reads the usage too. The helper must allow this with `allowUsage`.
   *
   * @default false
   */
  usage?: boolean | undefined;
  /** Messages by error code, in place of the English ones. */
  errorMessages?: Partial<ErrorMessages> | undefined;
  /**
   * Language of the numbers in messages (BCP 47).
   *
   * @default "en"
   */
  locale?: string | undefined;
}

/**
 * `loading`: the first page is on its way, after the start or `refresh()`. `loading-more`: the next page is. `failed`: the last of
 * these calls failed; files that were loaded before stay.
 */
export type FilesStatus = "loading" | "ready" | "loading-more" | "failed";

/** What the page shows. It is immutable. */
export interface FilesSnapshot {
  readonly status: FilesStatus;
  /** The files that are loaded, newest first. */
  readonly files: readonly ListedFile[];
  /** Whether there are further files, which `loadMore` loads. */
  readonly hasMore: boolean;
  /** Null until it is known, and if the setting `usage` is not set. */
  readonly usage: FilesUsage | null;
  /** Why the last command failed; null if it did not. */
  readonly error: UploadFailure | null;
}

/** How the browser gets a stored file. */
export interface DownloadOptions {
  /**
   * `attachment` saves the file. `inline` shows it in the browser, if its type cannot run scripts.
   *
   * @default "attachment"
   */
  disposition?: "attachment" | "inline" | undefined;
  /**
   * Returns the same URL for some minutes, so that the browser can show an image from its cache. The URL then works for 7.5 to 15
   * minutes.
   *
   * @default false
   */
  reuse?: boolean | undefined;
  /** `file_path` of a version of the file: its bytes are read. The helper must allow this with `allowVersions`. Not with `variant`. */
  version?: string | undefined;
  /** Name of an image preset of the project: the URL reads a smaller image that is made of the file. */
  variant?: string | undefined;
}

/** What a share link allows. Without options it has no end, no limit of downloads and no password. */
export interface ShareOptions {
  /** Seconds until the link ends: 60 to 10 years. */
  expiresAfter?: number | undefined;
  /** How often the link can be used. */
  maxDownloads?: number | undefined;
  /** 8 to 128 characters, which the link's page asks for. */
  password?: string | undefined;
  /**
   * `inline` shows the file in the browser, if its type cannot run scripts.
   *
   * @default "attachment"
   */
  disposition?: "attachment" | "inline" | undefined;
}

/** A share link: `link_id`, `expires_at`, `max_downloads`, `downloads`, `has_password`, … */
export type ShareLink = BrowserLink;
/** A new share link with its `url`, which no other call returns. */
export type CreatedShareLink = BrowserShareResponse;

type FileReference = Pick<ListedFile, "file_path">;

/** What a page can do with its files. The promises of the first three never reject: `error` says what failed. */
export interface FilesCommands {
  /** Loads the next page. Does nothing while another page is on its way, or after the last one. */
  loadMore(): Promise<void>;
  /** Loads the first page and the usage again. */
  refresh(): Promise<void>;
  /** Deletes a stored file. The helper must allow this with `allowDelete`. */
  remove(file: FileReference): Promise<void>;
  /**
   * Returns an address for `<a href>` and `<img src>`. The backend checks the session on each request and redirects to storage, so
   * the address does not expire and works for this user only. It carries cookies, but not the setting `headers`.
   *
   * @throws {TypeError} if the transport has no such addresses, as over tRPC: use `urlOf` there
   */
  hrefOf(file: FileReference, options?: DownloadOptions): string;
  /**
   * Creates a URL at storage that everyone can read for 15 minutes. Use it where `hrefOf` does not work.
   *
   * @throws {UploadError} `download_refused`, `file_not_found`, …; the message is a sentence for people
   */
  urlOf(file: FileReference, options?: DownloadOptions): Promise<string>;
  /**
   * Creates such URLs of many files, 100 with each call. Files that were not found, or that cannot be downloaded now, are left out.
   *
   * @returns the URLs by `file_path`
   * @throws {UploadError} as {@link urlOf}, if no file can be answered
   */
  urlsOf(
    files: readonly FileReference[],
    options?: Omit<DownloadOptions, "version">,
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Creates a share link: everyone who has its `url` can download the file. The helper must allow this with `allowShare`.
   *
   * @throws {UploadError} `share_refused`, `file_not_found`, …; the message is a sentence for people
   */
  share(file: FileReference, options?: ShareOptions): Promise<CreatedShareLink>;
  /**
   * Lists the share links of a file, newest first, also those that have ended.
   *
   * @throws {UploadError} as {@link share}
   */
  linksOf(file: FileReference): Promise<ShareLink[]>;
  /**
   * Ends a share link. A link that was revoked before counts as revoked.
   *
   * @throws {UploadError} as {@link share}
   */
  revokeLink(link: Pick<ShareLink, "file_path" | "link_id">): Promise<void>;
  /**
   * Lists the versions of a file, the last one first: the files that it replaced. The helper must allow this with `allowVersions`.
   *
   * @throws {UploadError} `versions_refused`, `file_not_found`, …; the message is a sentence for people
   */
  versionsOf(file: FileReference): Promise<ListedFile[]>;
  /**
   * Stores a version again, with its own path. The file becomes its newest version.
   *
   * @returns the version, which is stored now
   * @throws {UploadError} as {@link versionsOf}, and `file_on_hold`, `file_being_replaced`
   */
  restoreVersion(file: FileReference, version: FileReference): Promise<ListedFile>;
}
