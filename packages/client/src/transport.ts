import type {
  BrowserCompleteResponse,
  BrowserDownloadRequestBody,
  BrowserDownloadResponse,
  BrowserDownloadsRequestBody,
  BrowserDownloadsResponse,
  BrowserFoldersQueryInput,
  BrowserFoldersResponse,
  BrowserDeleteFolderRequest,
  BrowserJob,
  BrowserJobQueryInput,
  BrowserLinksQueryInput,
  BrowserLinksResponse,
  BrowserListedFile,
  BrowserListPartsResponse,
  BrowserListQueryInput,
  BrowserListResponse,
  BrowserMultipartResponse,
  BrowserMoveFolderRequest,
  BrowserOpenQueryInput,
  BrowserOpenResponse,
  BrowserRestoreVersionRequestBody,
  BrowserRevokeLinkRequestBody,
  BrowserRoutesResponse,
  BrowserShareRequestBody,
  BrowserShareResponse,
  BrowserSignPartsRequestBody,
  BrowserSignPartsResponse,
  BrowserStartedJob,
  BrowserUpdateRequestBody,
  BrowserUploadRequestBody,
  BrowserUploadResponse,
  BrowserUsageResponse,
  BrowserVersionsQueryInput,
  BrowserVersionsResponse,
} from "@stowage/schemas";

/** Permission to PUT one file to storage: a presigned URL and the headers that belong to it. */
export type UploadTicket = BrowserUploadResponse;

/** A presigned URL, and the headers that belong to it. */
export type PutTarget = Pick<UploadTicket, "presigned_url" | "headers">;

/** Permission to upload one file by parts. `UploadTransport.signParts` asks for the URLs of further parts. */
export type MultipartTicket = BrowserMultipartResponse;

/** Permission to PUT one part to storage. */
export type PartTicket = BrowserSignPartsResponse["parts"][number];

/** The most parts whose URLs one call answers. */
export const MAX_SIGNED_PARTS = 100;
/** The most open uploads in one answer. */
export const MAX_OPEN_UPLOADS = 100;

/** Smaller files have one part only: parts have at least 5 MiB. */
export const MIN_FINGERPRINT_BYTES = 5 * 1024 ** 2;
/**
 * Browsers open six connections to one host over HTTP/1.1. A seventh PUT would wait inside the browser, where it looks like a
 * stalled one.
 */
export const MAX_PUTS = 6;

/** Tells whether the backend wants the file by parts. */
export function isMultipart(ticket: UploadTicket | MultipartTicket): ticket is MultipartTicket {
  return "part_size" in ticket;
}

/** Tells whether a transport can send files by parts. Without this, the backend answers one PUT for each file. */
export function canSendParts(transport: UploadTransport): transport is PartsTransport {
  const { signParts, listParts, put, putPart } = transport;
  return Boolean(signParts && listParts && (putPart ?? !put));
}

/** A transport that can send files by parts. */
export type PartsTransport = UploadTransport & Required<Pick<UploadTransport, "signParts" | "listParts">>;

/**
 * How upload lists and files stores call the backend of the page. Every call may be repeated.
 *
 * A call that fails throws an `UploadError`, with status 0 when there was no answer. A call that is aborted throws the
 * signal's reason.
 */
export interface UploadTransport {
  /** Asks for a ticket for one file. The backend answers a `MultipartTicket` only if the body says `accepts_parts`. */
  request(body: BrowserUploadRequestBody, signal: AbortSignal): Promise<UploadTicket | MultipartTicket>;
  /** Tells the service that the file is in storage. Returns the file as the service has recorded it. */
  complete(body: { file_path: string }, signal: AbortSignal): Promise<BrowserCompleteResponse>;
  /**
   * Ends an upload that the person cancelled, so that it no longer reserves quota. Without this method the reservation ends
   * when the upload URL expires.
   */
  cancel?(body: { file_path: string }, signal: AbortSignal): Promise<unknown>;
  /**
   * Ends the user's unfinished uploads except these, so that they no longer hold quota. Without this method, failures have
   * no `heldBytes`.
   */
  discard?(body: { except: string[] }, signal: AbortSignal): Promise<unknown>;
  /** Deletes a stored file. Without this method the page cannot delete files. */
  delete?(body: { file_path: string }, signal: AbortSignal): Promise<unknown>;
  /** Restores a file from the trash. Without this method the page cannot undo deletions. */
  restore?(body: { file_path: string }, signal: AbortSignal): Promise<unknown>;
  /** Renames or moves a stored file. Without this method the page cannot. */
  update?(body: BrowserUpdateRequestBody, signal: AbortSignal): Promise<BrowserListedFile>;
  /** Lists one page of the folders in a folder, by name. Without this method the page has no folders. */
  folders?(query: BrowserFoldersQueryInput, signal: AbortSignal): Promise<BrowserFoldersResponse>;
  /** Starts a job that gives a folder another name. Without this method the page cannot. */
  moveFolder?(body: BrowserMoveFolderRequest, signal: AbortSignal): Promise<BrowserStartedJob>;
  /** Starts a job that deletes the files in a folder and below it. Without this method the page cannot. */
  deleteFolder?(body: BrowserDeleteFolderRequest, signal: AbortSignal): Promise<BrowserStartedJob>;
  /** Tells how far such a job is. Without this method the page starts none. */
  job?(query: BrowserJobQueryInput, signal: AbortSignal): Promise<BrowserJob>;
  /** Lists one page of the user's stored files, newest first. Without this method, a files store cannot list. */
  list?(query: BrowserListQueryInput, signal: AbortSignal): Promise<BrowserListResponse>;
  /** Returns the usage and the quota of the user. Without this method, a files store has no usage. */
  usage?(signal: AbortSignal): Promise<BrowserUsageResponse>;
  /** Creates a URL that reads one stored file for a short time. Without this method the page cannot create such URLs. */
  download?(body: BrowserDownloadRequestBody, signal: AbortSignal): Promise<BrowserDownloadResponse>;
  /** Creates the URLs of up to 100 stored files. Without this method the page cannot create URLs of many files. */
  downloads?(body: BrowserDownloadsRequestBody, signal: AbortSignal): Promise<BrowserDownloadsResponse>;
  /**
   * Returns an address of the backend that redirects to a stored file, for links and images. It makes no call and does not
   * expire. Without this method the page has no such addresses.
   */
  downloadHref?(query: BrowserDownloadRequestBody): string;
  /** Creates a share link of a stored file. Without this method the page cannot share files. */
  share?(body: BrowserShareRequestBody, signal: AbortSignal): Promise<BrowserShareResponse>;
  /** Lists one page of the share links of a file, newest first. Without this method the page cannot list them. */
  links?(query: BrowserLinksQueryInput, signal: AbortSignal): Promise<BrowserLinksResponse>;
  /** Ends a share link. Without this method the page cannot end links. */
  revoke?(body: BrowserRevokeLinkRequestBody, signal: AbortSignal): Promise<unknown>;
  /** Lists the versions of a stored file, the last one first. Without this method the page cannot list them. */
  versions?(query: BrowserVersionsQueryInput, signal: AbortSignal): Promise<BrowserVersionsResponse>;
  /** Stores a version again in place of the file. Without this method the page cannot. */
  restoreVersion?(body: BrowserRestoreVersionRequestBody, signal: AbortSignal): Promise<BrowserListedFile>;
  /** Asks for the URLs of up to 100 parts of an upload. Without this method, every file is sent by one PUT. */
  signParts?(body: BrowserSignPartsRequestBody, signal: AbortSignal): Promise<BrowserSignPartsResponse>;
  /** Lists one page of the parts of an upload that are in storage. Without this method, every file is sent by one PUT. */
  listParts?(
    query: { file_path: string; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<BrowserListPartsResponse>;
  /**
   * Lists one page of the user's uploads by parts that are not complete, newest first. Without this method, the page cannot
   * continue uploads of another page.
   */
  open?(query: BrowserOpenQueryInput, signal: AbortSignal): Promise<BrowserOpenResponse>;
  /** Returns the limits of the upload routes. Without this method the page knows only its own limits. */
  routes?(signal: AbortSignal): Promise<BrowserRoutesResponse>;
  /**
   * Checks the connection. Any answer, a refusal too, means that the backend can be reached. Without this method,
   * `routes` is called instead.
   */
  probe?(signal: AbortSignal): Promise<unknown>;
  /**
   * Sends the bytes to storage, in place of the list's own PUT to `ticket.presigned_url`. Used in tests, and where
   * XMLHttpRequest does not exist.
   */
  put?(ticket: UploadTicket, file: File, options: PutOptions): Promise<void>;
  /** The same for one part. A transport with `put` and without this method sends every file by one PUT. */
  putPart?(part: PartTicket & { file_path: string }, bytes: Blob, options: PutOptions): Promise<void>;
}

/** How a transport sends the bytes of one file or part. */
export interface PutOptions {
  signal: AbortSignal;
  /** Call this with the number of bytes sent so far; it must not fall. */
  onProgress(sentBytes: number): void;
}

/** Where the helper is mounted, and what each request to it carries. */
export interface HttpTransportOptions {
  /** Where the helper of `@stowage/server` is mounted, e.g. `/api/upload`. */
  endpoint: string;
  /** Headers of every call to the endpoint, never sent to storage. A function is called again for each call. */
  headers?: HttpHeaders | (() => HttpHeaders | Promise<HttpHeaders>) | undefined;
  /**
   * The option of the same name of `fetch`.
   *
   * @default "same-origin"
   */
  credentials?: RequestCredentials | undefined;
}

/** Header names and their values. */
export type HttpHeaders = Readonly<Record<string, string>>;
