import { formatBytes } from "@stowage/schemas/page-rules";
import { type KindWords, kindsOf } from "../kinds.js";
import type { FileBrowserLabels } from "./browser-labels.js";
import type { FileGridLabels, UploadAvatarLabels } from "./image-labels.js";
import type { HintParts, UploadLabels } from "./labels.js";
import type { ErrorMessage, ErrorMessages } from "../messages.js";

/**
 * Every text of the widget in one language: `<UploadDropzone messages={de} />`, and of `<FileGrid labels={de.grid} />` and
 * `<FileBrowser labels={de.browser} />`.
 */
export interface UploadLocale extends UploadLabels, UploadAvatarLabels {
  /** BCP 47 tag, such as `pt-BR`. */
  locale: string;
  grid: FileGridLabels;
  browser: FileBrowserLabels;
  errors: LocaleErrors;
}

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/**
 * Creates a function that formats a count with the plural form of its language. `#` in a form is the number.
 *
 * @param language its plural rules are used; its number format is the default
 */
export function plural(language: string, forms: Forms): (count: number, locale?: string) => string {
  let rules: Pick<Intl.PluralRules, "select"> | undefined;
  return (count, locale = language) => {
    // The JavaScript of React Native has no plural rules.
    rules ??= Intl.PluralRules
      ? new Intl.PluralRules(language)
      : { select: (n) => (n === 1 ? "one" : "other") };
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

/** The error texts of a language. */
export interface ErrorSentences {
  /** The upload was refused for an unknown reason. */
  refused: string;
  /** The service is not available right now. */
  later: string;
  /** The file did not arrive in storage. */
  lost: string;
  /** @param size what unfinished uploads of the user hold */
  unfinished_uploads(size: string): string;
  /** @param name the file that an unfinished upload needs */
  different_file(name: string, size: string): string;
  /** @param kinds such as `images or PDF` */
  file_type_not_accepted(kinds: string): string;
  /** @param size the limit, if it is known */
  file_too_large(size: string | undefined): string;
  file_too_small(size: string): string;
  too_many_files(count: number, locale: string): string;
  total_size_exceeded(size: string): string;
  duplicate_file: string;
  file_not_saved: string;
  validation_failed: string;
  transform_failed: string;
  file_unreadable: string;
  image_unreadable: string;
  network_error: string;
  server_unreachable: string;
  storage_unreachable: string;
  local_network_denied: string;
  timed_out: string;
  storage_refused: string;
  /** The site or its backend has a mistake, such as a wrong API key. */
  internal_error: string;
  storage_unavailable: string;
  unexpected_answer: string;
  unauthorized: string;
  quota_exceeded: string;
  file_limit_exceeded: string;
  too_many_requests: string;
  filename_required: string;
  delete_refused: string;
  update_refused: string;
  folder_job_refused: string;
  folder_busy: string;
  list_refused: string;
  download_refused: string;
  share_refused: string;
  versions_refused: string;
  file_not_found: string;
  file_not_scanned: string;
  file_quarantined: string;
  callback_failed: string;
  cross_site: string;
}

/**
 * The errors that users can do something about, or that have a cause which users know. All other codes say that the page and its
 * backend do not fit together: {@link errorMessage} shows the text of `request_refused` for them.
 */
export type LocaleErrors = Partial<ErrorMessages> &
  Pick<ErrorMessages, keyof ReturnType<typeof createErrors>>;

/** Alternatives, with commas where the runtime has no lists, as in React Native. */
const formatList = (kinds: string[], locale: string) =>
  Intl.ListFormat ? new Intl.ListFormat(locale, { type: "disjunction" }).format(kinds) : kinds.join(", ");

/** Creates the `errors` of a locale from its texts. */
export function createErrors(kinds: KindWords, sentences: ErrorSentences) {
  const { refused, later, lost, unfinished_uploads, ...own } = sentences;
  const orDetail: ErrorMessage = ({ detail }) => detail ?? refused;
  return {
    ...own,
    quota_exceeded: ({ heldBytes, locale }) =>
      heldBytes === undefined ? own.quota_exceeded : unfinished_uploads(formatBytes(heldBytes, locale)),
    different_file: ({ name, size, locale }) => own.different_file(name, formatBytes(size, locale)),
    file_type_not_accepted: ({ limits, locale }) =>
      own.file_type_not_accepted(formatList(kindsOf(limits.accept, kinds), locale)),
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
    unavailable: later,
    variant_pending: later,
    upload_not_found: lost,
    upload_incomplete: lost,
    upload_expired: lost,
    usage_refused: own.list_refused,
    folder_refused: own.list_refused,
    restore_refused: own.update_refused,
    preset_not_found: own.download_refused,
    variant_impossible: own.download_refused,
    variant_failed: own.download_refused,
    file_on_hold: own.delete_refused,
  } satisfies Partial<ErrorMessages>;
}
