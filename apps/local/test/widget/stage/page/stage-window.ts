import type { Upload, UploadDropzoneProps } from "@stowage/react";

/** What a test says the page shows; it travels as JSON. */
export interface StageConfig {
  component?: "dropzone" | "button";
  dir?: "ltr" | "rtl";
  lang?: string;
  /** Of the widget; English unless told. */
  words?: "ar" | "de";
  /** In React's StrictMode; it does something in the development build alone. */
  strict?: boolean;
  /** Inside a form that posts to the backend. */
  form?: boolean;
  /** The parts that a page puts into the widget. */
  inside?: { field?: Upload.InputProps; page?: Upload.PageProps; sources?: Upload.PickerSource[] };
  /** Of the widget, as far as JSON can say them. */
  props?: Partial<UploadDropzoneProps>;
}

/** What the page has told its own code. */
export interface StageEvent {
  event: "uploaded" | "failed";
  name: string;
  /** The path of an uploaded file, the code of a failed one. */
  what: string;
}

export interface StageWindow {
  config: StageConfig;
  /** Of the widget, those that JSON cannot say: made in the page by a function of the test. */
  props: Partial<UploadDropzoneProps>;
  events: StageEvent[];
  /** What the live region has said, in order. */
  spoken: string[];
  /** Elements that have been a live region: one, and always the same, is right. */
  liveRegions: number;
  /** Where the focus was lost to the body, by what had it before. */
  focusLosses: string[];
  /** Milliseconds for which the page's thread was busy at a stretch, where over 50; recorded when asked for. */
  longTasks: number[];
}

declare global {
  interface Window {
    stage: StageWindow;
  }
}
