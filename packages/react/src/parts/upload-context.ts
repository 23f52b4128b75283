import type { FilesEvent, ItemView, SharedView } from "@stowage/client/internals";
import { createContext, type HTMLAttributes, type ReactNode, type RefObject, useContext } from "react";
import type { UseUploadResult } from "../use-upload.js";

/** A part accepts what its element accepts: class, style, data and ARIA attributes. */
export interface PartProps extends HTMLAttributes<HTMLElement> {
  children?: ReactNode;
}

/** The view of a row, or of the whole list. */
export interface PlacedView extends ItemView {
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
  /** Accessible name of the whole widget. */
  name: string;
  state: "idle" | "drag-over" | "drag-reject" | "uploading";
  title: string;
  /** The notice, or else the limits in words. */
  hint: string;
  hintId: string;
  notice: string;
  /** Says how many system files the last gesture contained; empty without one. */
  leftOut: string;
  /** Adds the files of an event, and shows what a person should know about them. */
  addFrom(this: void, event: FilesEvent): void;
  /** Shows a notice in place of the limits; an empty text removes it. */
  setNotice(this: void, notice: string): void;
  /** Announces a sentence in the live region. */
  announce(this: void, sentence: string): void;
  /** Replaces the title while a drop anywhere on the page would be accepted; an empty text restores it. */
  setPageTitle(this: void, title: string): void;
  rootRef: RefObject<HTMLElement | null>;
  inputRef: RefObject<HTMLInputElement | null>;
}

export const RootViewContext = createContext<RootView | null>(null);
/** The view of a row; null outside of all rows. */
export const ItemViewContext = createContext<PlacedView | null>(null);

/** @throws {Error} outside of an `Upload.Root` */
export const useRootView = () => required(useContext(RootViewContext), "Upload.Root");

export function required<Value>(value: Value | null | undefined, parent: string): Value {
  if (!value) {
    throw new Error(`Render this part inside ${parent}`);
  }
  return value;
}
