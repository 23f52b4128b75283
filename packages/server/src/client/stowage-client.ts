import type {
  ChosenWebhookEventType as EventType,
  Disposition,
  FileStatus,
  TenantSort,
  Visibility,
} from "@stowage/schemas";
import type {
  CreatedLink,
  DayUsage,
  Deleted,
  Download,
  Downloads,
  EventPage,
  ExportedLine,
  Folder,
  MonthUsage,
  FolderJob,
  OpenedUpload,
  OpenUpload,
  ShareLink,
  SignedPart,
  StoredFile,
  StoredPart,
  Limits,
  Plan,
  Tenant,
  TenantLimits,
  UploadTicket,
  Usage,
} from "../service-api/records.js";
import type { UploadInput } from "./upload-input.js";

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Options of calls about files that may belong to any tenant. */
export interface OwnerOptions extends CallOptions {
  /**
   * The tenant that the file must belong to, otherwise it is not found. Leave it out to find every file of the project.
   *
   * @throws {StowageError} `tenant_id_required` if it is present but undefined
   */
  tenantId?: string;
}

/** A file that is uploaded. */
export interface UploadRequest {
  tenantId: string;
  filename: string;
  contentType?: string | undefined;
  /** Bytes. If given, storage refuses a body of any other length. */
  size?: number | undefined;
  contentMd5?: string | undefined;
  metadata?: Record<string, string> | undefined;
  /** Segments joined by `/`: `"reports/2026"`. @default "", the root */
  folder?: string | undefined;
  /** The service deletes the file this many seconds after this request: 60 to 315,360,000. @default never */
  expiresAfter?: number | undefined;
  /** The `Cache-Control` that storage sends with the file, such as `"public, max-age=31536000, immutable"`. @default none */
  cacheControl?: string | undefined;
  /** `public`: everyone may read the file at its `publicUrl`. The service needs a public bucket for it. @default "private" */
  visibility?: Visibility | undefined;
  /**
   * `filePath` of a stored file of the same tenant, which is deleted when this one is stored. Only what this one needs beyond it is
   * reserved. @default none
   */
  replaces?: string | undefined;
  /**
   * 1 to 255 visible ASCII characters, your choice for each upload of a tenant. For 24 hours the same key answers the same
   * upload with a new URL and reserves nothing twice, so with a key the request is retried.
   */
  idempotencyKey?: string | undefined;
}

/** A change of a file. What is missing stays. */
export interface FileChange {
  filename?: string | undefined;
  /** Members to set, or to remove if they are null. All other members stay. */
  metadata?: Record<string, string | null> | undefined;
  /** The folder to move it to; `""` is the root. */
  folder?: string | undefined;
}

/** A file that is uploaded by parts. */
export interface OpenUploadRequest extends Omit<UploadRequest, "size" | "contentMd5"> {
  /** Bytes of the whole file. They are reserved in the quota until the upload is complete or ends. */
  size: number;
  /** Bytes of each part, from 5 MiB to 5 GiB. @default chosen by the service */
  partSize?: number | undefined;
  /** Your own text that tells whether a file is the one of this upload. `listUploads` returns it. */
  fingerprint?: string | undefined;
}

/** How open uploads are listed. */
export interface ListUploadsOptions extends CallOptions {
  /** Uploads per request to the service. @default 100 */
  pageSize?: number | undefined;
}

/** For whom the URLs are, and how long and for what they work. */
export interface DownloadUrlsOptions extends OwnerOptions {
  /** Lifetime of the URLs in seconds. @default 3600 */
  expiresIn?: number | undefined;
  /** @default "attachment" */
  disposition?: Disposition | undefined;
  /**
   * Answers the same URL to every call within half of `expiresIn`, so that browsers and CDNs can cache the file. The URL is valid for
   * at least half of `expiresIn`.
   *
   * @default false
   */
  reuse?: boolean | undefined;
  /** Name of an image preset of the project: the URL reads the variant of the image in place of the file. */
  variant?: string | undefined;
  /** The header `Accept` of the browser, for presets with the format `auto`. @default WebP */
  accept?: string | undefined;
}

/** Options of the URL of one file. */
export interface DownloadUrlOptions extends DownloadUrlsOptions {
  /** The name of the downloaded file. @default the stored file's own name */
  filename?: string | undefined;
  /** The `filePath` of a version of the file, whose bytes the URL reads. Not with `variant`. @default the file itself */
  version?: string | undefined;
}

/** What a share link allows, and to whom the file must belong. */
export interface LinkOptions extends OwnerOptions {
  /** The link ends so many seconds from now: 60 to 315,360,000. @default it has no end */
  expiresAfter?: number | undefined;
  /** How often the link can be used. @default no limit */
  maxDownloads?: number | undefined;
  /** 8 to 128 characters that the link's page asks for. @default none */
  password?: string | undefined;
  /** @default "attachment" */
  disposition?: Disposition | undefined;
}

/** Whose links are listed: give `tenantId`, `filePath` or both. */
export interface LinksOptions extends OwnerOptions {
  filePath?: string | undefined;
  /** Links per request to the service. @default 100 */
  pageSize?: number | undefined;
}

/** Whose meters are read, and of which days. */
export interface MetersOptions extends OwnerOptions {
  /** The first day in UTC, such as `2026-01-31`. @default the first of the month */
  from?: string | undefined;
  /** The last day. @default today */
  to?: string | undefined;
}

/** Whose files are deleted, and whether for good. */
export interface DeleteOptions extends OwnerOptions {
  /** Deletes for good: the files do not go to the trash, and files in the trash are deleted too. @default false */
  purge?: boolean | undefined;
  /** Takes only stored files, and deletes nothing if the project has no trash. @default false */
  trashOnly?: boolean | undefined;
}

/** Where an export begins. */
export interface ExportOptions extends CallOptions {
  /** `cursor` of the last file that an earlier export yielded: this one continues after it, without the tenant. */
  after?: string | undefined;
}

/** Which files are listed. */
export interface FilesOptions extends OwnerOptions {
  status?: FileStatus | undefined;
  /** Part of the filename, in upper or lower case. */
  q?: string | undefined;
  /** Only files that have all these members: up to 3. */
  metadata?: Record<string, string> | undefined;
  /** Only files in this folder, not below it. */
  folder?: string | undefined;
  /** Only files in this folder or below it. */
  folderBelow?: string | undefined;
  /** A media type like `image/png`, or a group like `image/*`. */
  contentType?: string | undefined;
  /** When the upload was requested, both inclusive. */
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  /** Bytes, both inclusive. A file has no size until it is stored. */
  sizeFrom?: number | undefined;
  sizeTo?: number | undefined;
  /** Files per request to the service. @default 100 */
  pageSize?: number | undefined;
}

/** Which folders are listed. */
export interface FoldersOptions extends CallOptions {
  /** The folder that they are directly in. @default "", the root */
  parent?: string | undefined;
  /** Folders per request to the service. @default 100 */
  pageSize?: number | undefined;
}

/** Which tenants are listed, and in which order. */
export interface TenantsOptions extends CallOptions {
  /** Part of the tenant's ID, in upper or lower case. */
  q?: string | undefined;
  /** @default "created_at" */
  sort?: TenantSort | undefined;
  /** Tenants per request to the service. @default 100 */
  pageSize?: number | undefined;
}

/** Where to begin in the log of events, and which of them to read. */
export interface FollowOptions extends CallOptions {
  /** The `nextCursor` of the last page that you have processed. @default the oldest event that is kept */
  after?: string | undefined;
  /** Only events of these types. @default all */
  types?: readonly EventType[] | undefined;
  /** Events per request to the service: 1 to 1000. @default 100 */
  pageSize?: number | undefined;
}

/**
 * The service's API for server code. Every failure is a `StowageError` with a code of the catalogue; it is `unavailable` when
 * service or storage cannot be reached. Only a cancelled call rejects with the signal's reason instead.
 */
export interface StowageClient {
  /**
   * Requests permission to PUT one file. It is retried only with an `idempotencyKey`: without one, each call creates a pending file.
   *
   * @throws {StowageError} `idempotency_key_reused` if the key was used for another request
   */
  requestUpload(request: UploadRequest, options?: CallOptions): Promise<UploadTicket>;
  /**
   * Uploads a Blob, the file at a path, bytes or a stream: from 32 MiB on by parts, which are sent four at a time. It never holds a
   * whole file in memory: nothing of a path or a Blob, and of a stream at most `concurrency` parts.
   *
   * @throws {TypeError} for a stream without `size`, and for bytes without `filename`
   * @throws {IncompleteUploadError} when an upload by parts failed that `resume` can continue
   * @example await files.upload({ tenantId: "user_ada", file: "/var/reports/may.pdf" })
   * @example
   * await files.upload({ tenantId, file: path, resume: job.filePath, onOpen: ({ filePath }) => job.save({ filePath }) });
   */
  upload(input: UploadInput, options?: CallOptions): Promise<StoredFile>;
  /**
   * Opens an upload by parts, for code that sends the parts itself. It is retried only with an `idempotencyKey`. `signParts`
   * follows, a PUT for each part, and `completeUpload`.
   */
  openUpload(request: OpenUploadRequest, options?: CallOptions): Promise<OpenedUpload>;
  /**
   * Creates the URLs of up to 100 parts, in the order of `parts`. They expire after an hour: ask for them shortly before you need them.
   *
   * @throws {StowageError} `upload_already_stored`; `upload_expired`
   */
  signParts(
    filePath: string,
    parts: readonly { number: number; contentMd5?: string | undefined }[],
    options?: OwnerOptions,
  ): Promise<SignedPart[]>;
  /** Yields the parts of an upload that are in storage, in the order of their numbers. */
  listParts(filePath: string, options?: OwnerOptions): AsyncGenerator<StoredPart, void, undefined>;
  /** Yields the uploads by parts of a tenant that are not complete, newest first. */
  listUploads(tenantId: string, options?: ListUploadsOptions): AsyncGenerator<OpenUpload, void, undefined>;
  /**
   * Lets the service look for the file in storage now, and returns the recorded file. Joins the parts of an upload by parts. Safe to
   * repeat.
   *
   * @throws {StowageError} `upload_incomplete` if parts are missing
   */
  completeUpload(filePath: string, options?: OwnerOptions): Promise<StoredFile>;
  /**
   * Ends an upload whose bytes are not in storage. Its reservation is returned immediately, and bytes that arrive later are
   * removed. Safe to repeat.
   *
   * @throws {StowageError} `upload_already_stored`, and then the file is kept
   */
  cancelUpload(filePath: string, options?: OwnerOptions): Promise<void>;
  /** Returns the recorded file. */
  file(filePath: string, options?: OwnerOptions): Promise<StoredFile>;
  /** Creates a URL that reads one stored file. Everyone who has the URL can use it. */
  downloadUrl(filePath: string, options?: DownloadUrlOptions): Promise<Download>;
  /**
   * Creates URLs of any number of files, 100 with each request. A file that is missing, or that must not be downloaded now, does not
   * fail the others.
   *
   * @example const { downloads } = await files.downloadUrls(paths, { tenantId, disposition: "inline", reuse: true });
   */
  downloadUrls(filePaths: readonly string[], options?: DownloadUrlsOptions): Promise<Downloads>;
  /**
   * Creates a link that everyone who has its `url` can use to download the file. Only this call returns the `url`. It is not retried: each
   * call creates another link.
   *
   * @throws {StowageError} `file_not_found`, also for a file that is not stored
   * @example const { url } = await files.createLink(path, { tenantId, expiresAfter: 7 * 86_400, maxDownloads: 5 });
   */
  createLink(filePath: string, options?: LinkOptions): Promise<CreatedLink>;
  /**
   * Yields the share links of a tenant or of a file, newest first, without their URLs.
   *
   * @throws {StowageError} `invalid_request` without `tenantId` and `filePath`
   */
  links(options: LinksOptions): AsyncGenerator<ShareLink, void, undefined>;
  /**
   * Ends a share link, and returns it as it was. A download URL to which it has redirected works for up to 60 seconds more.
   *
   * @throws {StowageError} `link_not_found`, also if it was revoked before
   */
  revokeLink(linkId: string, options?: OwnerOptions): Promise<ShareLink>;
  /**
   * Deletes any number of files, into the trash if the project has one. `onHold` lists those that were kept because they are on hold;
   * it is missing if there are none. `notFound` lists the paths that did not exist; after a retry these include the files that the
   * first attempt deleted.
   */
  deleteFiles(filePaths: string | readonly string[], options?: DeleteOptions): Promise<Deleted>;
  /**
   * Takes one file out of the trash.
   *
   * @throws {StowageError} `file_not_found` if it is not in the trash
   */
  restoreFile(filePath: string, options?: OwnerOptions): Promise<StoredFile>;
  /**
   * Lists the versions of a file, the last one first: what it replaced, while the project keeps it.
   *
   * @throws {StowageError} `file_not_found`
   */
  listVersions(filePath: string, options?: OwnerOptions): Promise<StoredFile[]>;
  /**
   * Stores a version again. The file itself becomes the newest version. A retry after a lost answer can throw `file_not_found`.
   *
   * @param version its `filePath`
   * @throws {StowageError} `file_not_found` for an unknown file or version; `file_on_hold`; `file_being_replaced`
   */
  restoreVersion(filePath: string, version: string, options?: OwnerOptions): Promise<StoredFile>;
  /**
   * Puts a file on hold, or releases it. Nothing deletes a file on hold. Safe to repeat.
   *
   * @throws {StowageError} `file_not_found`; `tenant_being_deleted`
   */
  holdFile(filePath: string, hold: boolean, options?: OwnerOptions): Promise<StoredFile>;
  /**
   * Renames or moves a file, or changes its metadata. What you leave out stays. Its path stays too. Safe to repeat.
   *
   * @throws {StowageError} `file_not_found`, also for a file in the trash; `invalid_request` if the metadata would be too large
   * @example await files.updateFile(path, { filename: "Report.pdf", metadata: { reviewed: "yes", draft: null } });
   */
  updateFile(filePath: string, change: FileChange, options?: OwnerOptions): Promise<StoredFile>;
  /**
   * Makes a file public or private. A file that becomes private is taken back when this resolves: its `publicUrl` answers 403 or 404. A
   * file that becomes public has a `publicUrl` when it is there, usually at once. Safe to repeat.
   *
   * @throws {StowageError} `file_not_found`; `invalid_request` for a type that a browser would run, and where the service has no public
   * bucket; `unavailable` if the file cannot be moved now: the service continues
   */
  setVisibility(filePath: string, visibility: Visibility, options?: OwnerOptions): Promise<StoredFile>;
  /**
   * Deletes a tenant with all its files, up to 1,000 in one call. Repeat it until it returns 0; the service continues by itself if you do
   * not.
   *
   * @returns how many files are left, at least. 0 also for an unknown tenant, so it is safe to repeat after the end
   * @throws {StowageError} `file_on_hold`, and then nothing was deleted
   */
  deleteTenant(tenantId: string, options?: CallOptions): Promise<number>;
  /**
   * Yields everything that the service knows of a tenant: first the tenant, then its files, oldest first, then its share links, newest first.
   * It reads the answer only as fast as you take it, and continues after a broken connection where it was. When it ends without an error,
   * the export is complete.
   *
   * @throws {StowageError} `tenant_not_found`
   * @example
   * for await (const entry of files.exportTenant("user_ada")) out.write(`${JSON.stringify(entry)}\n`);
   */
  exportTenant(tenantId: string, options?: ExportOptions): AsyncGenerator<ExportedLine, void, undefined>;
  /** Yields files, newest first. It requests the next page only after you have read the one before. */
  files(options?: FilesOptions): AsyncGenerator<StoredFile, void, undefined>;
  /**
   * Yields the folders of a tenant that are directly in `parent`, by name, with what counts in them and below: stored files and files in the
   * trash. A folder without such a file does not exist.
   *
   * @example for await (const { folder, fileCount, usedBytes } of files.folders("user_ada")) console.log(folder, fileCount, usedBytes);
   */
  folders(tenantId: string, options?: FoldersOptions): AsyncGenerator<Folder, void, undefined>;
  /**
   * Starts a job of the service that gives a folder another name, and returns its id for `job`. Files that arrive in `from` later stay. It
   * is not retried, because another job would move them.
   *
   * @param to the new name, not the folder to put it into; `""` moves the contents to the root
   * @throws {StowageError} `folder_busy` while another job changes one of these folders; `tenant_not_found`; `invalid_request` if the name
   * is not valid, or too deep for a folder below `from`
   */
  moveFolder(tenantId: string, from: string, to: string, options?: CallOptions): Promise<string>;
  /**
   * Starts a job of the service that deletes the files in a folder and below it, into the trash if the project has one, and returns its id
   * for `job`. Files on hold stay, and those that arrive later. It is not retried, because another job would delete them.
   *
   * @throws {StowageError} `folder_busy` while another job changes this folder; `tenant_not_found`
   */
  deleteFolder(tenantId: string, folder: string, options?: CallOptions): Promise<string>;
  /**
   * Tells how far a job is.
   *
   * @throws {StowageError} `job_not_found`, also seven days after its end
   */
  job(jobId: string, options?: OwnerOptions): Promise<FolderJob>;
  /** Yields tenants, newest or largest first, page by page. */
  tenants(options?: TenantsOptions): AsyncGenerator<Tenant, void, undefined>;
  /**
   * Yields pages of the project's events, in the order in which they became visible, and waits for new ones. It never ends by itself: abort
   * `signal`, or leave the loop. When you go on from the `nextCursor` of the last page that you have processed, you get every event at
   * least once.
   *
   * @throws {StowageError} `cursor_expired` if events after the cursor are not kept any more; `unavailable` if the retries fail
   * @example
   * for await (const { events, nextCursor } of client.followEvents({ after })) await saveTogether(events, nextCursor);
   */
  followEvents(options?: FollowOptions): AsyncGenerator<EventPage, void, undefined>;
  /** Returns the usage of one tenant, or of the whole project if `tenantId` is left out. */
  usage(tenantId?: string, options?: CallOptions): Promise<Usage>;
  /**
   * Returns the meters of each day, of one tenant or of the whole project. `byteSeconds` are digits: pass them to `BigInt` to calculate.
   *
   * @throws {StowageError} `tenant_not_found`; `invalid_request` for more than 366 days
   * @example const days = await files.dailyUsage({ tenantId: "user_ada", from: "2026-01-01", to: "2026-01-31" });
   */
  dailyUsage(options?: MetersOptions): Promise<DayUsage[]>;
  /** Returns the same for each month. @throws {StowageError} as `dailyUsage` */
  monthlyUsage(options?: MetersOptions): Promise<MonthUsage[]>;
  /**
   * Sets limits of a tenant, or its plan. What you leave out stays as it is; `null` means that the plan decides, then the project.
   *
   * @throws {StowageError} `plan_not_found`
   * @example
   * await files.setLimits("user_ada", { plan: "pro", maxFiles: null });
   */
  setLimits(tenantId: string, limits: TenantLimits, options?: CallOptions): Promise<Tenant>;
  /** Returns the plans of the project, by name. */
  plans(options?: CallOptions): Promise<Plan[]>;
  /** Creates a plan, or changes it for all tenants that have it. What you leave out stays as it is. */
  setPlan(name: string, limits: Limits, options?: CallOptions): Promise<Plan>;
  /** Deletes a plan. @throws {StowageError} `plan_not_found`; `plan_in_use` while a tenant has it */
  deletePlan(name: string, options?: CallOptions): Promise<Plan>;
  /** Sets a tenant's quota in bytes. `null` restores the project's default. */
  setQuota(tenantId: string, quotaBytes: number | null, options?: CallOptions): Promise<Tenant>;
}
