/** How the text of a file is shown. */
export type TextKind = "text" | "json" | "table";

/** Types outside of `text/` whose files are text. */
const TEXT =
  /^(text\/.+|message\/rfc822|application\/(json|jsonl|x-ndjson|toml|sql|xml|yaml|x-yaml|javascript|ecmascript|node|typescript|x-sh|x-bat|x-perl|x-httpd-php|x-tex|x-subrip|pgp-keys|x-x509-ca-cert|.+\+(json|xml|yaml)))$/;
/** Pages are not shown, not even as their source: a person who looks at one expects the page. */
const PAGE = /html|svg/;
const TABLE = /^text\/(csv|tab-separated-values)$/;
const JSON_TYPE = /^application\/(.+\+)?json$/;

/** Files that came without a true type: Windows calls a CSV file an Excel file, and many systems do not know these names. */
const NAMELESS = /^application\/(octet-stream|vnd\.ms-excel)$/;
const TABLE_NAME = /\.(csv|tsv|tab)$/i;
const TEXT_NAME = /\.(txt|log|md|markdown|jsonl|ndjson|ya?ml|toml|ini|conf|cfg|sql|xml|tex|srt|vtt)$/i;

/** How to show a file of this type, or null if it is not shown as text. */
export function textKindOf(file: { contentType: string; filename: string }): TextKind | null {
  const type = (file.contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  if (NAMELESS.test(type)) return kindOfName(file.filename, type);
  if (PAGE.test(type) || !TEXT.test(type)) return null;
  if (TABLE.test(type)) return "table";
  return JSON_TYPE.test(type) ? "json" : "text";
}

function kindOfName(filename: string, type: string): TextKind | null {
  if (TABLE_NAME.test(filename)) return "table";
  if (type !== "application/octet-stream") return null;
  if (/\.(geo)?json$/i.test(filename)) return "json";
  return TEXT_NAME.test(filename) ? "text" : null;
}
