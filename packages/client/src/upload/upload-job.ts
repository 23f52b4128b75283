import type { PendingRetry } from "../network/call-with-retry.js";
import type { LineSpeed } from "../network/line-speed.js";
import type { Network } from "../network/network.js";
import type { PutSlots } from "../network/put-slots.js";
import type { Runtime } from "../runtime.js";
import type { MultipartTicket, PartTicket, UploadTicket, UploadTransport } from "../transport.js";
import type { SessionUsage, UploadLimits } from "../upload-limits.js";
import type { UploadSettings } from "../upload-settings.js";

/** Everything that the upload of one file needs. */
export interface UploadJob {
  /** The id of the file in its store. */
  id: string;
  /** The file that the person chose. */
  file: File;
  /** What earlier runs of the same file have learned. */
  resume: ResumePoint;
  /** The same for each request of this upload, so that a request whose answer was lost reserves no quota twice. */
  idempotencyKey: string;
  runtime: Runtime;
  network: Network;
  putSlots: PutSlots;
  lineSpeed: LineSpeed;
  transport: UploadTransport;
  signal: AbortSignal;
  /** Reads what may change while the file waits: the page's settings, the route's limits, and the other files. */
  current: {
    settings(): Pick<UploadSettings, "validate" | "transform" | "route" | "input">;
    limits(): UploadLimits;
    /** What the other files use up of the limits. */
    usage(): SessionUsage;
  };
  /**
   * Finds the upload by parts of another page that this file continues. Without it, the file starts an upload of its own.
   *
   * @throws {UploadError} different_file if a person chose the file for an upload of another file
   */
  findOpen?(prepared: File): Promise<HeldMultipart | null>;
  /** Called synchronously with each step. */
  onEvent(event: UploadEvent): void;
  /**
   * Called with the path of a ticket that is not used: it arrived after the upload was aborted, or the file to send is another
   * one now. It reserves quota until it is cancelled.
   */
  onUnusedTicket(path: string): void;
}

/** What a later run of the same file must know, so that it never stores the file twice. */
export interface ResumePoint {
  /** Where storage has the bytes. The next run only has to confirm them. */
  readonly sentPath?: string;
  /** Where a PUT has started. The next run asks the service about this path before it requests another ticket. */
  readonly triedPath?: string;
  /** The ticket of that PUT. The next run uses it again while it is valid. */
  readonly ticket?: HeldTicket;
  /** The upload by parts that is open. The next run sends the parts that storage does not have yet. */
  readonly multipart?: HeldMultipart;
}

/** A ticket, and what it was requested for. */
export interface HeldTicket {
  readonly ticket: UploadTicket;
  /** How many milliseconds it is still valid. */
  readonly validMs: () => number;
  /** Bytes of the file to send. */
  readonly size: number;
  readonly type: string;
}

/** The URL of one part. */
export interface SignedPart {
  readonly ticket: PartTicket;
  /** How many milliseconds the URL is still valid. */
  readonly validMs: () => number;
}

/** An upload by parts that is open, and what is known of its parts. */
export interface HeldMultipart {
  readonly ticket: Omit<MultipartTicket, "parts">;
  /** The URLs that came with the ticket. Further ones are asked for. */
  readonly signed: readonly SignedPart[];
  /** Bytes of the file to send. */
  readonly size: number;
  /** The type that the upload was opened with. Empty if the browser did not know it. */
  readonly type: string;
  /** The fingerprint that the upload was opened with; null if it has none. */
  readonly fingerprint: string | null;
  /**
   * The parts that this page has begun to send from this `File` object, by their number; null for an upload that another page
   * has opened. If storage has them, they are parts of this file. All others are compared before they are skipped. The
   * running upload adds to the set.
   */
  readonly sent: { readonly file: File; readonly numbers: Set<number> } | null;
}

/** An upload by parts that a run continues with its file. */
export type OwnMultipart = HeldMultipart & { readonly sent: NonNullable<HeldMultipart["sent"]> };

/** What an upload reports while it runs. The store reduces these events to the state of the file. */
export type UploadEvent =
  | { type: "preparing" }
  /** Reported before each request for a ticket, and before the limits are checked. */
  | { type: "size-known"; sizeBytes: number }
  | { type: "requesting"; retry: PendingRetry | null }
  /** From now on storage may have the bytes, even if it never answers. */
  | { type: "put-started"; ticket: HeldTicket }
  /** An upload by parts is open. From now on storage may have some of them. */
  | { type: "parts-started"; multipart: HeldMultipart }
  /** @param isOut whether all bytes that are on their way have left the page, so that storage must answer next */
  | { type: "bytes-sent"; sentBytes: number; isOut: boolean }
  /** Storage had some of these bytes already. The others were sent. */
  | { type: "bytes-found"; sentBytes: number }
  /** Storage has the bytes. */
  | { type: "bytes-stored"; path: string }
  | { type: "confirming"; retry: PendingRetry | null };
