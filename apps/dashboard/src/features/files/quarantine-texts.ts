import type { ScanState } from "../../components/files/scan-state.js";

/** Texts of the quarantine, and of a file's virus scan. */
export const quarantine = {
  title: "Quarantine",
  hint: "Files in which the virus scan found something, and files that it could not scan. Files in the trash are included.",
  list: "Files in quarantine",
  none: "No files in quarantine",
  noneHint: "A file appears here when its virus scan finds something, or when it cannot be scanned.",
  offHint: "This project does not scan its files for viruses. An owner can change this in the settings.",
  toSettings: "Open the settings",
  found: "Found",
  stored: "Stored",
  actions: "Actions",
  foundIn: (signature: string) => `Found: ${signature}`,

  release: "Release",
  releaseOne: (name: string) => `Release ${name}`,
  deleteOne: (name: string) => `Delete ${name}`,
  // Starts with the words on the button, so that people who speak to their browser can press it.
  purgeOne: (name: string) => `Delete for good: ${name}`,
  releaseFile: "Release from quarantine",
  releaseTitle: "Release this file from quarantine?",
  releaseWarning:
    "Your users can download the file from then on. If other bytes replace it, it is scanned again. The audit log names you.",
  released: "The file was released. It can be downloaded.",

  scan: "Virus scan",
  meaning: {
    waiting: "The file waits for its virus scan. It can be downloaded once the scan finds nothing.",
    clean: "The scan found nothing, or an owner released the file.",
    infected: "The file is in quarantine and cannot be downloaded.",
    unscannable: "The scanner cannot look into the file: it is too large or encrypted.",
  } satisfies Record<Exclude<ScanState, "off">, string>,
  all: "All files in quarantine",
} as const;
