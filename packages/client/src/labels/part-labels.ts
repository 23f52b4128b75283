import type { UploadLabels } from "./labels.js";

/*
 * English texts of parts that not every page renders. Each is a separate constant, so that a bundle contains only the texts of its parts.
 */

export const englishFormLabels: Pick<UploadLabels, "required" | "held" | "heldFailed"> = {
  required: "Choose a file first.",
  held: "The form will be sent when all files are uploaded.",
  heldFailed:
    "The form was not sent because a file failed. Retry or remove the file, then send the form again.",
};

export const englishPageLabels: Pick<UploadLabels, "dropAnywhere"> = {
  dropAnywhere: "Drop anywhere to upload",
};

export const englishTrayLabels: Pick<UploadLabels, "tray" | "closeTray"> = {
  tray: "Uploads",
  closeTray: "Close",
};

export const englishTriggerLabels: Pick<UploadLabels, "chooseFolder" | "useCamera"> = {
  chooseFolder: "Choose folder",
  useCamera: "Use camera",
};
