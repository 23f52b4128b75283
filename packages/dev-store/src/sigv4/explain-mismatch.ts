import type { S3Request } from "../http/s3-request.js";

/** Whether the signature of the request would match this request. It is asked at most {@link MAX_TRIES} times. */
export type Matches = (request: S3Request) => boolean;

/** Bounds the work of one refusal: at most 80 ms on a slow machine. The pairs of the last types are not tried. */
const MAX_TRIES = 1500;

/** How far a signed length may be from the sent one. Encodings and newlines change a text by less. */
const MAX_LENGTH_DIFFERENCE = 256;
const NEAR_LENGTHS = 16;

/** Headers whose values may appear in an answer. Any other header could carry a secret. */
const QUOTABLE = new Set(["cache-control", "content-length", "content-md5", "content-type", "host"]);
const MAX_QUOTED = 100;

/** One change of a request, and what is wrong if the signature matches after it. */
interface Repair {
  readonly request: S3Request;
  readonly finding: string;
}

/**
 * Says why a signature does not match, for a developer who reads the answer.
 *
 * A signature does not contain what it signed. So this tries the mistakes that HTTP clients make, one or two at a time, and names
 * those that would heal the request. If none does, it names what was signed and what arrived. It quotes neither the path, nor the
 * query, nor the signature.
 */
export function explainMismatch(
  request: S3Request,
  signedHeaders: readonly string[],
  matches: Matches,
): string {
  const missing = signedHeaders.filter((name) => !request.headers.has(name));
  if (missing.length > 0) return missing.map((name) => explainMissing(request, name)).join(" ");
  const finding = findRepair(request, signedHeaders, matches) ?? describe(request, signedHeaders);
  return isForm(request) ? `${finding} The request sends a form: send the bytes of the file alone.` : finding;
}

function isForm({ headers }: S3Request): boolean {
  return /^multipart\/form-data/i.test(headers.get("content-type") ?? "");
}

function explainMissing({ headers }: S3Request, name: string): string {
  const signed = `The URL signs ${name}, but the request has none`;
  if (name !== "content-length") return `${signed}: send every header of the answer that had the URL.`;
  return /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "")
    ? `${signed}: it was sent in chunks (Transfer-Encoding: chunked). Send Content-Length with the size of the file.`
    : `${signed}. Send Content-Length with the size of the file, also if it is 0.`;
}

function findRepair(
  request: S3Request,
  signedHeaders: readonly string[],
  matches: Matches,
): string | undefined {
  const isSigned = (name: string): boolean => signedHeaders.includes(name);
  const types = isSigned("content-type") ? otherTypes(request) : [];
  const lengthsOf = isSigned("content-length") ? otherLengths : () => [];
  const othersOf = (from: S3Request): Repair[] => [
    ...otherMethods(from),
    ...otherQueries(from),
    ...otherPaths(from),
    ...otherHosts(from),
    ...(isSigned("content-md5") ? otherDigests(from) : []),
  ];
  let tries = 0;
  const heals = (repair: Repair): boolean => ++tries <= MAX_TRIES && matches(repair.request);
  const single = [...types, ...othersOf(request), ...lengthsOf(request)].find(heals);
  if (single) return single.finding;
  // A text is often sent with another type and with a length that its encoding changed.
  for (const type of types) {
    const second = [...lengthsOf(type.request).slice(0, NEAR_LENGTHS), ...otherHosts(type.request)].find(
      heals,
    );
    if (second) return `${type.finding} ${second.finding}`;
  }
  return undefined;
}

function otherMethods(request: S3Request): Repair[] {
  return ["PUT", "GET", "HEAD", "POST", "DELETE"]
    .filter((method) => method !== request.method)
    .map((method) => ({
      request: { ...request, method },
      finding: `The URL is signed for ${method}, but the request is a ${request.method}.`,
    }));
}

/** Parameters that the official presigners write. Another one was probably added to the URL. */
const OWN_PARAMETER = /^(x-amz-|x-id$|response-|partnumber$|uploadid$|versionid$)/i;

function otherQueries(request: S3Request): Repair[] {
  const entries = [...request.query];
  const own = entries.filter(([name]) => OWN_PARAMETER.test(name));
  const variants: [entries: [string, string][], finding: string][] = [
    [own, "The query has a parameter that the URL did not have when it was signed."],
    ...own
      .filter(([name]) => !name.startsWith("X-Amz-"))
      .map(([added]): [[string, string][], string] => [
        entries.filter(([name]) => name !== added),
        "The query has a parameter that the URL did not have when it was signed.",
      ]),
    [mapValues(entries, (value) => value.replaceAll(" ", "+")), "A + of the query must be sent as %2B."],
    [mapValues(entries, decodeOnce), "The query was percent-encoded twice."],
    [mapValues(entries, (value) => value.trim()), "A value of the query has blanks around it."],
    [
      entries.some(([name]) => name === "x-id") ? entries : [...entries, ["x-id", idOf(request)]],
      "The query has lost its parameter x-id.",
    ],
  ];
  return variants
    .filter(([changed]) => !isSame(changed, entries))
    .map(([changed, finding]) => ({ request: { ...request, query: new Map(changed) }, finding }));
}

const idOf = ({ method }: S3Request): string => (method === "PUT" ? "PutObject" : "GetObject");

function otherPaths(request: S3Request): Repair[] {
  const { path } = request;
  const variants: [path: string, finding: string][] = [
    [decodeOnce(path), "The path was percent-encoded twice."],
    [path.replaceAll("+", " "), "The path has + for a space: it must be %20."],
    [path.replaceAll(" ", "+"), "The path has a space for a +."],
    [path.replace(/\/+$/, ""), "The path ends with a slash too many."],
    [`${path}/`, "The path has lost its last slash."],
    [path.replace(/^\/+/, "/"), "The path starts with a slash too many."],
    [path.normalize("NFC"), "The letters of the path were decomposed (Unicode NFD)."],
    [path.normalize("NFD"), "The letters of the path were composed (Unicode NFC)."],
  ];
  return variants
    .filter(([changed]) => changed !== path)
    .map(([changed, finding]) => ({ request: { ...request, path: changed }, finding }));
}

function otherHosts(request: S3Request): Repair[] {
  const sent = request.headers.get("host") ?? "";
  const port = /:\d+$/.exec(sent)?.[0] ?? "";
  const names = [sent.slice(0, sent.length - port.length), "localhost", "127.0.0.1", "[::1]", "0.0.0.0"];
  return otherHeader(
    request,
    "host",
    names.flatMap((name) => [name + port, name.toLowerCase() + port, name]),
  );
}

/** Types that clients and services guess from the name of a file, the likely ones first. */
const COMMON_TYPES =
  `application/octet-stream text/plain text/html text/csv text/markdown application/json application/xml application/pdf
  application/zip application/x-www-form-urlencoded image/jpeg image/png image/gif image/webp image/svg+xml video/mp4 audio/mpeg
  application/vnd.openxmlformats-officedocument.wordprocessingml.document application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
  application/vnd.openxmlformats-officedocument.presentationml.presentation application/msword application/vnd.ms-excel
  application/vnd.ms-powerpoint application/vnd.oasis.opendocument.text application/vnd.oasis.opendocument.spreadsheet application/rtf
  application/gzip application/x-gzip application/x-7z-compressed application/vnd.rar application/x-tar application/epub+zip
  image/heic image/heif image/avif image/tiff image/bmp image/jpg image/x-icon image/vnd.microsoft.icon image/vnd.adobe.photoshop
  video/quicktime video/webm video/x-msvideo video/x-matroska video/mpeg video/mp2t audio/mp4 audio/x-m4a audio/wav audio/x-wav audio/ogg
  audio/aac audio/flac text/javascript application/javascript text/css text/xml text/yaml application/yaml text/calendar text/vcard
  font/woff font/woff2 font/ttf font/otf application/wasm application/sql application/x-ndjson message/rfc822`.split(
    /\s+/,
  );
const CHARSETS = ["; charset=utf-8", "; charset=UTF-8", ";charset=utf-8", ";charset=UTF-8"];

function otherTypes(request: S3Request): Repair[] {
  const sent = request.headers.get("content-type") ?? "";
  const bare = sent.split(";", 1)[0]!.trim();
  // A header that was sent twice arrives joined by a comma.
  const each = sent.split(",").map((value) => value.trim());
  const types = [bare, ...each, ...COMMON_TYPES];
  return otherHeader(request, "content-type", [
    ...types,
    sent.toLowerCase(),
    ...[bare, "text/plain"].flatMap((type) => CHARSETS.map((charset) => type + charset)),
  ]);
}

/** A digest in hexadecimal digits, or in the alphabet of URLs, instead of base64. */
function otherDigests(request: S3Request): Repair[] {
  const sent = request.headers.get("content-md5") ?? "";
  const isHex = /^[0-9a-f]{32}$/i.test(sent);
  const standard = sent.replaceAll("-", "+").replaceAll("_", "/").replace(/=*$/, "==");
  return otherHeader(request, "content-md5", [
    isHex ? Buffer.from(sent, "hex").toString("base64") : standard,
  ]);
}

/** The nearest lengths first, then 0, then those of bytes that were sent as base64 or as UTF-16, with and without a byte order mark. */
function otherLengths(request: S3Request): Repair[] {
  const sent = Number(request.headers.get("content-length"));
  const lengths: number[] = [];
  for (let difference = 1; difference <= MAX_LENGTH_DIFFERENCE; difference++)
    lengths.push(sent + difference, sent - difference);
  const encoded = [0, 1, 2].map((padding) => Math.floor(sent / 4) * 3 - padding);
  lengths.push(0, ...encoded, sent / 2, sent / 2 - 1);
  const possible = lengths.filter((length) => length >= 0 && Number.isInteger(length));
  return otherHeader(request, "content-length", possible.map(String));
}

function otherHeader(request: S3Request, name: string, values: readonly string[]): Repair[] {
  const sent = request.headers.get(name) ?? "";
  return [...new Set(values)]
    .filter((value) => value !== sent)
    .map((value) => ({
      request: { ...request, headers: new Map([...request.headers, [name, value]]) },
      finding: `The URL signs ${name} ${quote(value)}, but the request has ${quote(sent)}.`,
    }));
}

function describe(request: S3Request, signedHeaders: readonly string[]): string {
  const sent = signedHeaders.map((name) =>
    QUOTABLE.has(name) ? `${name} ${quote(request.headers.get(name) ?? "")}` : name,
  );
  const hint = signedHeaders.includes("content-length")
    ? " Compare content-length with the size that the upload was requested with."
    : "";
  return (
    `The request is a ${request.method} with these signed headers: ${sent.join(", ")}. ` +
    `One of them, the method, the path, the query or the secret is not what was signed.${hint}`
  );
}

const quote = (value: string): string =>
  value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value;

function mapValues(
  entries: readonly (readonly [string, string])[],
  change: (value: string) => string,
): [string, string][] {
  return entries.map(([name, value]) => [name, change(value)]);
}

function isSame(some: readonly (readonly [string, string])[], others: typeof some): boolean {
  return (
    some.length === others.length &&
    some.every(([name, value], i) => name === others[i]![0] && value === others[i]![1])
  );
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
