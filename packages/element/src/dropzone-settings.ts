import type { UploadClient, UploadMessages, UploadSettings } from "@stowage/client";
import type { PropertyDeclaration, PropertyDeclarations } from "lit";

/** The properties of `<stowage-dropzone>`: the settings of an upload list, and the look and the form field of the element. */
export interface DropzoneSettings extends Omit<
  UploadSettings,
  "errorMessages" | "locale" | "onUploaded" | "onFailed" | "onSettled"
> {
  /** Identifies the list. An element that is added later with the same key shows the same list. */
  listKey?: string | undefined;
  /** Accessible name of the whole widget. */
  label?: string | undefined;
  /** False refuses files that are pasted while the focus is inside. */
  paste?: boolean | undefined;
  /** `auto` follows the system. */
  theme?: "auto" | "light" | "dark" | undefined;
  /** Texts in place of those of `lang`. */
  messages?: UploadMessages | undefined;
  /**
   * Holds the lists. Its `clear()` ends them, such as before a user signs out.
   *
   * @default defaultUploadClient of @stowage/client, which holds all lists of the page
   */
  client?: UploadClient | undefined;
}

const text: PropertyDeclaration = { reflect: true };
const number: PropertyDeclaration = { type: Number, reflect: true };
const flag: PropertyDeclaration = { type: Boolean, reflect: true };
const property: PropertyDeclaration = { attribute: false };

/** An attribute that is true by default, such as `paste="false"`. */
const onByDefault: PropertyDeclaration<boolean | undefined> = {
  reflect: true,
  converter: {
    fromAttribute: (value) => (value === null ? undefined : value !== "false"),
    toAttribute: (value) => (value === undefined ? null : String(value)),
  },
};

const dashed = (attribute: string, declaration: PropertyDeclaration) => ({ ...declaration, attribute });

/** The attribute of each setting. */
export const settingDeclarations = {
  endpoint: text,
  route: text,
  accept: {
    reflect: true,
    converter: { toAttribute: (value: UploadSettings["accept"]) => value?.toString() ?? null },
  },
  maxSize: dashed("max-size", text),
  minSize: dashed("min-size", text),
  maxFiles: dashed("max-files", number),
  maxTotalSize: dashed("max-total-size", text),
  duplicates: text,
  concurrency: number,
  credentials: text,
  autoStart: dashed("auto-start", onByDefault as PropertyDeclaration),
  deleteOnRemove: dashed("delete-on-remove", flag),
  leaveGuard: dashed("leave-guard", onByDefault as PropertyDeclaration),
  resumable: onByDefault as PropertyDeclaration,
  listKey: dashed("list-key", text),
  label: text,
  paste: onByDefault as PropertyDeclaration,
  theme: text,
  transport: property,
  headers: property,
  input: property,
  validate: property,
  transform: property,
  messages: property,
  client: property,
} satisfies Record<keyof DropzoneSettings, PropertyDeclaration> & PropertyDeclarations;
