import type { HTMLAttributes, InputHTMLAttributes, RefObject } from "react";
import { useDropzone } from "react-dropzone";

export interface GestureSettings {
  /** Types of media; what is dragged and of none of them is rejected. */
  accept: Record<string, string[]>;
  disabled: boolean;
  multiple: boolean;
  noPaste: boolean;
  /** Takes the files of an event, and answers with those that hang over the zone. */
  getFilesFromEvent(event: unknown): Promise<(File | DataTransferItem)[]>;
}

export interface Gestures {
  isDragActive: boolean;
  isDragReject: boolean;
  /** Whether files are dragged somewhere over the page. */
  isDragGlobal: boolean;
  rootRef: RefObject<HTMLElement | null>;
  inputRef: RefObject<HTMLInputElement | null>;
  getRootProps(props: RootProps): RootProps;
  getInputProps(props: InputHTMLAttributes<HTMLInputElement>): InputHTMLAttributes<HTMLInputElement>;
}

type RootProps = HTMLAttributes<HTMLElement> & Record<`data-${string}`, string | undefined>;

/**
 * Drag, drop, paste and choice, by react-dropzone. What is published holds only what these settings can reach of it:
 * who passes one more takes it out of the table in `tooling/dropzone` first.
 */
export function useGestures(settings: GestureSettings): Gestures {
  return useDropzone({ ...settings, noClick: true, noKeyboard: true });
}
