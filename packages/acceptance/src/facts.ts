/** Something that a target may lack. A case that needs it is left out then. */
export type Gate =
  | "cors"
  | "externalScan"
  | "multipart"
  | "noPublicFiles"
  | "noScan"
  | "noTrash"
  | "plainEtags"
  | "preset"
  | "publicFiles"
  | "trash"
  | "unknownSize"
  | "versions";

/** What is known of a target before its cases run. */
export interface Facts {
  /** The origin of the customer's pages. Null: it was not given. */
  origin: string | null;
  /** The name of an image preset of the project. Null: it was not given. */
  preset: string | null;
  scan: "off" | "external" | "service";
  /** The largest file that the project allows for one PUT. Null: not known. */
  maxFileBytes: number | null;
  /** Whether each new tenant needs a quota of its own, because the default one is small. */
  raisesQuota: boolean;
  quotaBytes: number;
  /** Why the target cannot answer the cases that need this. Cases without an entry are asked. */
  lacks: Partial<Record<Gate, string>>;
}
