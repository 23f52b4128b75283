import type { HTMLAttributes, InputHTMLAttributes, RefObject } from "react";
import { useDropzone } from "react-dropzone";

export interface FileDropzoneSettings {
  /** Media types as keys. A drag that contains another type is rejected. */
  accept: Record<string, string[]>;
  disabled: boolean;
  multiple: boolean;
  noPaste: boolean;
  /** Adds the files of an event, and returns the files that are dragged over the zone. */
  getFilesFromEvent(event: unknown): Promise<(File | DataTransferItem)[]>;
}

export interface FileDropzone {
  isDragActive: boolean;
  isDragReject: boolean;
  /** Whether files are dragged anywhere over the page. */
  isDragGlobal: boolean;
  rootRef: RefObject<HTMLElement | null>;
  inputRef: RefObject<HTMLInputElement | null>;
  getRootProps(props: RootProps): RootProps;
  getInputProps(props: InputHTMLAttributes<HTMLInputElement>): InputHTMLAttributes<HTMLInputElement>;
}

type RootProps = HTMLAttributes<HTMLElement> & Record<`data-${string}`, string | undefined>;

/**
 * Handles drag, drop, paste and the file input with react-dropzone. The published module contains only the code of
 * react-dropzone that these settings can reach: before you pass another setting, remove it from the table in
 * `tooling/dropzone`.
 */
export function useFileDropzone(settings: FileDropzoneSettings): FileDropzone {
  return useDropzone({ ...settings, noClick: true, noKeyboard: true });
}
