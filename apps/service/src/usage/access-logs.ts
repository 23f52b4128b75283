/** Formats of access logs: of S3 and CloudFront, of Ceph's gateway, and what nginx calls `combined`. */
export const logFormats = ["s3", "ceph", "nginx", "cloudfront"] as const;
export type LogFormat = (typeof logFormats)[number];

/** Bytes of an object that were sent to a client. */
export interface Delivery {
  at: Date;
  /** The key of the object, after what the address has before it, such as the bucket. */
  path: string;
  bytes: number;
}

/** What a line is: a download, another request, a line of the format without a request, or a line that is not of the format. */
type LogLine = Delivery | "other" | "skipped" | "unread";

/**
 * Creates a parser for the lines of one log. Lines are foreign input: each parser takes time in proportion to the line, and never throws.
 *
 * A reader with the keys of storage is no client. Its requests are not downloads where the log tells them apart, and neither are those by
 * which the service itself reads files.
 */
export function createLogParser(format: LogFormat): (line: string) => LogLine {
  const parse = format === "cloudfront" ? createW3cParser() : parsers[format];
  return (line) => {
    const text = line.trim();
    return text === "" ? "skipped" : parse(text);
  };
}

/** What the logs have as the user of an unsigned request. */
const ANONYMOUS = ["", "-", "anonymous", "Anonymous"];

interface Request {
  method: string;
  status: string;
  at: Date;
  path: string;
  query: string;
  bytes: string;
  /** Whether storage knows who sent it, by a signature in its address or its headers. False also if the log does not tell. */
  isSigned: boolean;
}

function toDelivery({ method, status, at, path, query, bytes, isSigned }: Request): LogLine {
  // No object has 100 TB.
  if (Number.isNaN(at.getTime()) || !/^(?:\d{1,14}|-)$/.test(bytes)) return "unread";
  if (method !== "GET" || (status !== "200" && status !== "206")) return "other";
  // Names may be encoded, and values may look like names.
  const parameters = new URLSearchParams(query);
  const isPresigned = parameters.has("X-Amz-Algorithm");
  // Each presigned URL of a download has this parameter, and its signature covers it. The service reads without it.
  if (isPresigned && !parameters.has("response-content-disposition")) return "other";
  if (isSigned && !isPresigned) return "other";
  return { at, path: followDots(decode(decode(path))), bytes: bytes === "-" ? 0 : Number(bytes) };
}

/** Splits the address of a request line at its first question mark. */
function splitAddress(address: string): Pick<Request, "path" | "query"> {
  const [path = ""] = address.split("?", 1);
  return { path, query: address.slice(path.length + 1) };
}

/** Decodes what every server takes as the same character. S3 encodes keys twice. */
function decode(path: string): string {
  return path.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Follows `.`, `..` and empty segments, as a web server does before it passes a request on: `/a/../b` is not below `a`. */
function followDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

/**
 * Owner, bucket, time, address, requester, request ID, operation, key, request, status, error, bytes:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html
 */
const S3 = /^\S+ \S+ \[([^\]]{20,40})\] \S+ (\S+) \S+ (\S+) (\S+) (?:"\S+ (\S+) \S+"|-) (\S+) \S+ (\S+) /;

const S3_DOWNLOADS = ["REST.GET.OBJECT", "WEBSITE.GET.OBJECT"];

function parseS3(line: string): LogLine {
  const [, time = "", requester = "", operation = "", key = "", uri = "", status = "", bytes] =
    S3.exec(line) ?? [];
  if (bytes === undefined) return "unread";
  const method = S3_DOWNLOADS.includes(operation) ? "GET" : "";
  const { query } = splitAddress(uri);
  const isSigned = !ANONYMOUS.includes(requester);
  return toDelivery({ method, status, at: readClfTime(time), path: key, query, bytes, isSigned });
}

/** User, time and request of the combined format: https://httpd.apache.org/docs/2.4/logs.html#combined */
const BEFORE_REQUEST = / (\S+) \[([^\]]{20,40})\] $/;
/** nginx and Apache escape quotes. */
const ESCAPED_REQUEST = /"((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?: |$)/y;
/** Ceph does not escape them, but refuses addresses with spaces. */
const PLAIN_REQUEST = /"(\S+ \S+ HTTP\/[\d.]+)" (\d{3}) (\d+|-)(?: |$)/y;

/** @param namesUsers whether the log names those whose signature storage has checked */
function parseClf(line: string, form: RegExp, namesUsers: boolean): LogLine {
  // Only the server's own text can be before the first quote: what clients send comes after it, or cannot have quotes.
  const quote = line.indexOf('"');
  const before = line.slice(Math.max(0, quote - 300), Math.max(0, quote));
  const [, user = "", time] = BEFORE_REQUEST.exec(before) ?? [];
  if (time === undefined) return "unread";
  form.lastIndex = quote;
  const [, request = "", status = "", bytes] = form.exec(line) ?? [];
  // Such as the first bytes of a TLS connection.
  if (bytes === undefined) return "other";
  const [method = "", address = ""] = request.split(" ", 2);
  const isSigned = namesUsers && !ANONYMOUS.includes(user);
  return toDelivery({ method, status, at: readClfTime(time), ...splitAddress(address), bytes, isSigned });
}

/** A line of the gateway's log, or of its ops log, which has one JSON value a line: https://docs.ceph.com/en/latest/radosgw/config-ref/ */
function parseCeph(line: string): LogLine {
  if (line.startsWith("{")) return parseOpsLog(line);
  if (/ beast: 0x[\da-f]+: /.test(line)) return parseClf(line, PLAIN_REQUEST, true);
  return /^\d{4}-\d\d-\d\d[T ]/.test(line) ? "skipped" : "unread";
}

function parseOpsLog(line: string): LogLine {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line.replace(/,$/, "")) as Record<string, unknown>;
  } catch {
    return "unread";
  }
  const member = (name: string) => {
    const value = entry[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const [method = "", address = ""] = member("uri").split(" ", 2);
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(member("time")) ?? [];
  return toDelivery({
    method,
    status: member("http_status"),
    at: new Date(`${date}T${time}Z`),
    ...splitAddress(address),
    bytes: member("bytes_sent"),
    isSigned: !ANONYMOUS.includes(member("user")),
  });
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html. The log names its columns. */
function createW3cParser() {
  let columns: string[] = [];
  return (line: string): LogLine => {
    if (line.startsWith("#")) {
      if (line.startsWith("#Fields:")) columns = line.slice("#Fields:".length).trim().split(/\s+/);
      return "skipped";
    }
    const cells = line.split("\t");
    const cell = (name: string) => cells[columns.indexOf(name)] ?? "";
    return toDelivery({
      method: cell("cs-method"),
      status: cell("sc-status"),
      at: new Date(`${cell("date")}T${cell("time")}Z`),
      path: cell("cs-uri-stem"),
      // The service reads files from storage, and a CDN may ignore what a visitor adds to an address.
      query: "",
      bytes: cell("sc-bytes"),
      isSigned: false,
    });
  };
}

const parsers = {
  s3: parseS3,
  ceph: parseCeph,
  nginx: (line: string) => parseClf(line, ESCAPED_REQUEST, false),
};

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @param text such as `06/Feb/2019:00:00:38 +0000`, also with a fraction of a second */
function readClfTime(text: string): Date {
  const [, day, month = "", year, time, hours, minutes] =
    /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2})(?:\.\d+)? ([+-]\d{2})(\d{2})$/.exec(text) ?? [];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return new Date(`${year}-${number}-${day}T${time}${hours}:${minutes}`);
}
