import { createContext, type HTMLAttributes, type ReactNode, type RefObject, useContext } from "react";
import type { UploadItem } from "../core/upload-item.js";
import type { UseUploadResult } from "../use-upload.js";
import type { Words } from "./labels.js";

/** What parts share and what hardly ever changes, so that a row is not drawn again for another row's bytes. */
export interface UploadParts extends Pick<UseUploadResult, "isOffline" | "cancel" | "retry" | "remove"> {
  labels: Words;
}

/** What a button may do: to the file that it is in, or to all of them. */
export type UploadAction = "cancel" | "retry" | "remove" | "start" | "cancelAll" | "retryAll" | "clear";

/** What a progress, a status or a button speaks of: the file that it is in, or all of them. */
export interface UploadStanding extends UploadParts {
  /** The file; missing where all of them are meant. */
  item?: UploadItem;
  /** A file's is unique in the list. */
  name: string;
  /** What can be done with it now. */
  can: Partial<Record<UploadAction, (() => void) | false>>;
  /** 0 to 1; missing while there is nothing to count. */
  share?: number | undefined;
  /** How far it is, for assistive technology: without what changes by the second. Empty when it is at its end. */
  progress: string;
  /** Where it stands, in one sentence or less. */
  status: string;
  /** Where it stands among all files, when not all of them are drawn. */
  position?: { "aria-posinset": number; "aria-setsize": number } | undefined;
}

/** What changes with every step of an upload or a drag. */
export interface UploadView {
  parts: UploadParts;
  upload: UseUploadResult;
  autoStart: boolean | undefined;
  disabled: boolean;
  state: "idle" | "drag-over" | "drag-reject" | "uploading";
  title: string;
  /** What may be chosen; or the notice. */
  hint: string;
  hintId: string;
  notice: string;
  /** Shown in place of the hint; an empty text takes it back. */
  setNotice(this: void, notice: string): void;
  /** Says a sentence in the live region. */
  say(this: void, sentence: string): void;
  /** Whether files are dragged somewhere over the page. */
  isDragGlobal: boolean;
  /** What a drop anywhere on the page would do, while it would; empty otherwise. */
  setPageTitle(this: void, title: string): void;
  rootRef: RefObject<HTMLElement | null>;
  inputRef: RefObject<HTMLInputElement | null>;
}

export const ViewContext = createContext<UploadView | null>(null);
export const StandingContext = createContext<UploadStanding | null>(null);

export const useView = () => present(useContext(ViewContext));
export const useStanding = () => present(useContext(StandingContext));

/** The file that a part is in. */
export function useItem(): UploadStanding & { item: UploadItem } {
  const standing = useStanding();
  return { ...standing, item: present(standing.item) };
}

function present<Value>(value: Value | null | undefined): Value {
  if (!value) throw new Error("Outside of Upload.Root or Upload.List");
  return value;
}

/** A part takes what its element takes: class, style, data and ARIA attributes. */
export interface PartProps extends HTMLAttributes<HTMLElement> {
  children?: ReactNode;
}
