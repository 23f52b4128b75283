import type { UploadClient, UploadMessages, UploadSettings } from "@stowage/client";
import type { PropertyDeclaration, PropertyDeclarations } from "lit";
import type { PickerSource } from "./input/file-pickers.js";

/** The settings of the upload list that the element holds. Its events take the place of the callbacks. */
type ListSettings = Omit<
  UploadSettings,
  "errorMessages" | "locale" | "onUploaded" | "onFailed" | "onSettled"
>;

/** The properties of `<stowage-dropzone>`: the settings of its upload list, and its look. */
export interface DropzoneSettings extends ListSettings {
  /** Identifies the list. An element that is added later with the same key shows the same list. */
  listKey?: string | undefined;
  /**
   * Accessible name of the whole element.
   *
   * @default "Upload files", in the language of the element
   */
  label?: string | undefined;
  /**
   * Whether the row of an image shows it. The page's Content-Security-Policy must allow `blob:` in `img-src`.
   *
   * @default false
   */
  preview?: boolean | undefined;
  /**
   * Further buttons: a whole folder, and the front (`user`) or back (`environment`) camera of a phone. A list, or names with spaces
   * between them. On a device with a mouse, only the button for folders is shown.
   *
   * @default none
   */
  sources?: readonly PickerSource[] | string | undefined;
  /**
   * False refuses files that are pasted while the focus is inside.
   *
   * @default true
   */
  paste?: boolean | undefined;
  /**
   * `auto` follows the system.
   *
   * @default "auto"
   */
  theme?: "auto" | "light" | "dark" | undefined;
  /**
   * Texts that replace the texts of the language.
   *
   * @default the texts of `lang`, if `registerLocales` has them, else English
   */
  messages?: UploadMessages | undefined;
  /**
   * Holds the lists. Its `clear()` ends them, such as before a user signs out.
   *
   * @default defaultUploadClient of @stowage/client, which holds all lists of the page
   */
  client?: UploadClient | undefined;
}

/** What templates and JSX may set: the settings, and what every form field has. */
export interface DropzoneProperties extends DropzoneSettings {
  /** Name of the form field. The form sends one entry for each stored file: its `file_path`. */
  name?: string | null | undefined;
  /**
   * Whether the form is invalid without a file.
   *
   * @default false
   */
  required?: boolean | undefined;
  /**
   * Whether files can be added. A disabled fieldset disables the element too.
   *
   * @default false
   */
  disabled?: boolean | undefined;
}

const text: PropertyDeclaration = { reflect: true };
const number: PropertyDeclaration = { type: Number, reflect: true };
const flag: PropertyDeclaration = { type: Boolean, reflect: true };
const property: PropertyDeclaration = { attribute: false };

/** An attribute that is true by default, such as `paste="false"`. */
const onByDefault = {
  reflect: true,
  converter: {
    fromAttribute: (value: string | null) => (value === null ? undefined : value !== "false"),
    toAttribute: (value: boolean | undefined) => (value === undefined ? null : String(value)),
  },
} as PropertyDeclaration;

/** A list that its attribute separates by this. */
const listOf = (separator: string): PropertyDeclaration => ({
  reflect: true,
  converter: {
    toAttribute: (value) => (value === undefined ? null : [value].flat().join(separator)),
  },
});

const dashed = (attribute: string, declaration: PropertyDeclaration) => ({ ...declaration, attribute });

const listDeclarations = {
  endpoint: text,
  route: text,
  accept: listOf(","),
  maxSize: dashed("max-size", text),
  minSize: dashed("min-size", text),
  maxFiles: dashed("max-files", number),
  maxTotalSize: dashed("max-total-size", text),
  duplicates: text,
  concurrency: number,
  credentials: text,
  autoStart: dashed("auto-start", onByDefault),
  deleteOnRemove: dashed("delete-on-remove", flag),
  leaveGuard: dashed("leave-guard", onByDefault),
  resumable: onByDefault,
  transport: property,
  headers: property,
  input: property,
  validate: property,
  transform: property,
} satisfies Record<keyof ListSettings, PropertyDeclaration>;

/** The attribute of each property. */
export const declarations = {
  ...listDeclarations,
  listKey: dashed("list-key", text),
  label: text,
  preview: flag,
  sources: listOf(" "),
  paste: onByDefault,
  theme: text,
  messages: property,
  client: property,
  name: { reflect: true, converter: { toAttribute: (name: string) => name || null } },
  required: flag,
  disabled: flag,
} satisfies Record<keyof DropzoneProperties, PropertyDeclaration> & PropertyDeclarations;

/** The settings of the upload list. An attribute that was removed leaves null behind, which no setting accepts. */
export function listSettingsOf(dropzone: ListSettings): UploadSettings {
  const names = Object.keys(listDeclarations) as (keyof ListSettings)[];
  return Object.fromEntries(
    names.map((name) => [name, dropzone[name]]).filter(([, value]) => value !== undefined && value !== null),
  );
}
