import { formatBytes } from "@stowage/schemas/rules";
import { type KindWords, kindsOf } from "../kinds.js";
import type { FileGridLabels, UploadAvatarLabels } from "./image-labels.js";
import type { HintParts, UploadLabels } from "./labels.js";
import type { ErrorMessage, ErrorMessages } from "../messages.js";
import type { UploadErrorCode } from "../upload-error.js";

/** Every text of the widget in one language: `<UploadDropzone messages={de} />`, and of `<FileGrid labels={de.grid} />`. */
export interface UploadLocale extends UploadLabels, UploadAvatarLabels {
  /** BCP 47 tag, such as `pt-BR`. */
  locale: string;
  grid: FileGridLabels;
  errors: ErrorMessages;
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/**
 * Creates a function that formats a count with the plural form of its language. `#` in a form is the number.
 *
 * @param language its plural rules are used; its number format is the default
 */
export function plural(language: string, forms: Forms): (count: number, locale?: string) => string {
  let rules: Intl.PluralRules | undefined;
  return (count, locale = language) => {
    rules ??= new Intl.PluralRules(language);
    return (forms[rules.select(count)] ?? forms.other).replace("#", count.toLocaleString(locale));
  };
}

/** Isolates a name, a number or a size (Unicode FSI and PDI), so that its direction does not affect the text around it. */
export const isolate = (part: string | number): string => `\u2068${part}\u2069`;

/** Joins the parts that are not undefined, empty or 0. */
export function joinPresent(separator: string, ...parts: (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "" && part !== 0).join(separator);
}

/** Creates the `hint` label from a text for each limit. */
export function createHint(
  separator: string,
  words: {
    from(size: string): string;
    upTo(size: string): string;
    atMost(count: number, locale: string): string;
    inAll(size: string): string;
  },
): UploadLabels["hint"] {
  return ({ kinds, minSize, maxSize, maxTotalSize, maxFiles }: HintParts, locale) =>
    joinPresent(
      separator,
      kinds,
      minSize && words.from(minSize),
      maxSize && words.upTo(maxSize),
      maxFiles && words.atMost(maxFiles, locale),
      maxTotalSize && words.inAll(maxTotalSize),
    );
}

type WithLimits =
  | "different_file"
  | "file_type_not_accepted"
  | "file_too_large"
  | "file_too_small"
  | "too_many_files"
  | "total_size_exceeded";
/** The text of the backend explains these best. */
type WithDetail = "file_refused" | "request_refused" | "invalid_request" | "upload_refused";
/** Users cannot do anything about these: the page and its backend do not fit together. */
type Refused =
  | "invalid_json"
  | "tenant_id_required"
  | "size_required"
  | "not_found"
  | "upload_already_stored"
  | "tenant_being_deleted"
  | "tenant_not_found"
  | "scan_outdated"
  | "idempotency_key_reused"
  | "method_not_allowed"
  | "route_not_found"
  | "body_too_large"
  | "unsupported_media_type";
type Later = "internal_error" | "unavailable" | "variant_pending";
type Lost = "upload_not_found" | "upload_incomplete" | "upload_expired";
/** One text for failures of the list and of the usage: a user sees no difference. */
type Unlisted = "usage_refused";
/** One text for every reason why an image variant is missing: a user sees no difference. */
type WithoutVariant = "preset_not_found" | "variant_impossible" | "variant_failed";
/** One text for every reason why a file cannot be deleted: a user sees no difference. */
type Undeletable = "file_on_hold";

/** The error texts of a language. Codes with the same text share one of `refused`, `later` and `lost`. */
export type ErrorSentences = Record<
  Exclude<
    UploadErrorCode,
    WithLimits | WithDetail | Refused | Later | Lost | Unlisted | WithoutVariant | Undeletable
  >,
  string
> & {
  /** @param size what unfinished uploads of the user hold */
  unfinished_uploads(size: string): string;
  /** The upload was refused for an unknown reason. */
  refused: string;
  /** The service is not available right now. */
  later: string;
  /** The file did not arrive in storage. */
  lost: string;
  /** @param name the file that an unfinished upload needs */
  different_file(name: string, size: string): string;
  /** @param kinds such as `images or PDF` */
  file_type_not_accepted(kinds: string): string;
  /** @param size the limit, if it is known */
  file_too_large(size: string | undefined): string;
  file_too_small(size: string): string;
  too_many_files(count: number, locale: string): string;
  total_size_exceeded(size: string): string;
};

/** Creates the `errors` of a locale from its texts. */
export function createErrors(kinds: KindWords, sentences: ErrorSentences): ErrorMessages {
  const { refused, later, lost, unfinished_uploads, ...own } = sentences;
  const orDetail: ErrorMessage = ({ detail }) => detail ?? refused;
  return {
    ...own,
    quota_exceeded: ({ heldBytes, locale }) =>
      heldBytes === undefined ? own.quota_exceeded : unfinished_uploads(formatBytes(heldBytes, locale)),
    different_file: ({ name, size, locale }) => own.different_file(name, formatBytes(size, locale)),
    file_type_not_accepted: ({ limits, locale }) =>
      own.file_type_not_accepted(
        new Intl.ListFormat(locale, { type: "disjunction" }).format(kindsOf(limits.accept, kinds)),
      ),
    file_too_large: ({ limits, locale }) =>
      own.file_too_large(limits.maxSize === undefined ? undefined : formatBytes(limits.maxSize, locale)),
    file_too_small: ({ limits, locale }) => own.file_too_small(formatBytes(limits.minSize ?? 1, locale)),
    too_many_files: ({ limits, locale }) => own.too_many_files(limits.maxFiles ?? 1, locale),
    total_size_exceeded: ({ limits, locale }) =>
      own.total_size_exceeded(formatBytes(limits.maxTotalSize ?? 0, locale)),
    file_refused: orDetail,
    request_refused: orDetail,
    invalid_request: orDetail,
    upload_refused: orDetail,
    invalid_json: refused,
    tenant_id_required: refused,
    size_required: refused,
    not_found: refused,
    upload_already_stored: refused,
    tenant_being_deleted: refused,
    tenant_not_found: refused,
    scan_outdated: refused,
    idempotency_key_reused: refused,
    method_not_allowed: refused,
    route_not_found: refused,
    body_too_large: refused,
    unsupported_media_type: refused,
    internal_error: later,
    unavailable: later,
    variant_pending: later,
    upload_not_found: lost,
    upload_incomplete: lost,
    upload_expired: lost,
    usage_refused: own.list_refused,
    preset_not_found: own.download_refused,
    variant_impossible: own.download_refused,
    variant_failed: own.download_refused,
    file_on_hold: own.delete_refused,
  };
}
