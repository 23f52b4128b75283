import type {
  BrowserCompleteResponse,
  BrowserRoutesResponse,
  BrowserUploadRequestBody,
  BrowserUploadResponse,
} from "@stowage/schemas";

/** Leave to PUT one file, right now. */
export type UploadTicket = BrowserUploadResponse;

/**
 * How the widget speaks to the customer's backend. Any call may be repeated. A call that fails throws an `UploadError`
 * (status 0 when there was no answer), and the signal's reason when it aborts.
 */
export interface UploadTransport {
  request(body: BrowserUploadRequestBody, signal: AbortSignal): Promise<UploadTicket>;
  /** Asks the service to look into storage. Answers the file as the service now has it. */
  complete(body: { file_path: string }, signal: AbortSignal): Promise<BrowserCompleteResponse>;
  /** Without it nothing can be deleted from the page. */
  delete?(body: { file_path: string }, signal: AbortSignal): Promise<unknown>;
  /** Without it the page knows no limits but its own. */
  routes?(signal: AbortSignal): Promise<BrowserRoutesResponse>;
  /** Any answer of the backend, a refusal too, means that it can be reached. `routes` is asked in its absence. */
  probe?(signal: AbortSignal): Promise<unknown>;
  /**
   * Brings the bytes to storage, in place of the widget's own PUT of the file to `ticket.presigned_url`: for tests, and
   * for where no XMLHttpRequest is.
   */
  put?(ticket: UploadTicket, file: File, options: PutOptions): Promise<void>;
}

export interface PutOptions {
  signal: AbortSignal;
  /** Bytes that have left, growing. */
  onProgress(sentBytes: number): void;
}

export interface HttpTransportOptions {
  /** Where the helper of `@stowage/server` is mounted, e.g. `/api/upload`. */
  endpoint: string;
  /** Sent with each call to the endpoint, and never to storage; a function is asked each time. */
  headers?: HttpHeaders | (() => HttpHeaders | Promise<HttpHeaders>) | undefined;
  /** Of `fetch`; `same-origin` unless told. */
  credentials?: RequestCredentials | undefined;
}

export type HttpHeaders = Readonly<Record<string, string>>;
