import { createContext, type HTMLAttributes, type ReactNode, type RefObject, useContext } from "react";
import type { UploadItem } from "../core/upload-item.js";
import type { UseUploadResult } from "../use-upload.js";
import type { ActiveLabels } from "./labels.js";

/** A part accepts what its element accepts: class, style, data and ARIA attributes. */
export interface PartProps extends HTMLAttributes<HTMLElement> {
  children?: ReactNode;
}

/**
 * Labels and commands that all parts share. This object changes rarely, so a row is not rendered again when another
 * file makes progress.
 */
export interface SharedView extends Pick<
  UseUploadResult,
  "connection" | "cancel" | "pause" | "resume" | "retry" | "remove" | "discardUnfinished"
> {
  labels: ActiveLabels;
}

/** What a button does to one file, or to the whole list. */
export type ActionName =
  | "cancel"
  | "pause"
  | "resume"
  | "retry"
  | "remove"
  | "start"
  | "pauseAll"
  | "resumeAll"
  | "cancelAll"
  | "retryAll"
  | "clear";

/** What a progress bar, a status and a button show: inside a row one file, elsewhere the whole list. */
export interface ItemView extends SharedView {
  /** Undefined for the whole list. */
  item?: UploadItem;
  /** Accessible name. The name of a file is unique in the list. */
  name: string;
  /** The actions that are possible now. */
  actions: Partial<Record<ActionName, (() => void) | undefined>>;
  /** 0 to 1; undefined while there are no bytes to count. */
  share?: number | undefined;
  /**
   * `aria-valuetext` of the progress bar; empty when nothing is in progress. It leaves out speed and time left,
   * because screen readers would read every change of them.
   */
  progressText: string;
  /** The state in one sentence or less. */
  statusText: string;
  /** Position among all files, when only some of them are rendered; and what measures the row. */
  position?:
    | {
        "aria-posinset": number;
        "aria-setsize": number;
        "data-index": number;
        ref: ((row: HTMLElement | null) => void) | undefined;
      }
    | undefined;
}

/** The state of an `Upload.Root`. Changes with every step of an upload or a drag. */
export interface RootView {
  shared: SharedView;
  upload: UseUploadResult;
  autoStart: boolean | undefined;
  disabled: boolean;
  state: "idle" | "drag-over" | "drag-reject" | "uploading";
  title: string;
  /** The notice, or else the limits in words. */
  hint: string;
  hintId: string;
  notice: string;
  /** Shows a notice in place of the limits; an empty text removes it. */
  setNotice(this: void, notice: string): void;
  /** Announces a sentence in the live region. */
  announce(this: void, sentence: string): void;
  /** Whether files are dragged anywhere over the page. */
  isDragGlobal: boolean;
  /** Replaces the title while a drop anywhere on the page would be accepted; an empty text restores it. */
  setPageTitle(this: void, title: string): void;
  rootRef: RefObject<HTMLElement | null>;
  inputRef: RefObject<HTMLInputElement | null>;
}

export const RootViewContext = createContext<RootView | null>(null);
export const ItemViewContext = createContext<ItemView | null>(null);

/** @throws {Error} outside of an `Upload.Root` */
export const useRootView = () => required(useContext(RootViewContext), "Upload.Root");

/** @throws {Error} outside of an `Upload.Root` */
export const useItemView = () => required(useContext(ItemViewContext), "Upload.Root");

/**
 * The view of the file whose row contains the part.
 *
 * @throws {Error} outside of an `Upload.List`
 */
export function useFileView(): ItemView & { item: UploadItem } {
  const view = useItemView();
  return { ...view, item: required(view.item, "Upload.List") };
}

function required<Value>(value: Value | null | undefined, parent: string): Value {
  if (!value) {
    throw new Error(`Render this part inside ${parent}`);
  }
  return value;
}
