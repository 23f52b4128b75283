import {
  describe,
  fail,
  isSuccess,
  NotChecked,
  ok,
  presignRead,
  presignSample,
  type Probe,
  type ProbeContext,
  type ProbeResult,
  SAMPLE,
  SAMPLE_BYTES,
  SAMPLE_HEADERS,
  uploadSample,
  warn,
} from "../probe.js";

/** Uploads an object as a browser does, checks that the service sees it, and reads it back through a download URL. */
export const upload: Probe = {
  name: "Upload and download",
  async run(context) {
    const path = context.newPath();
    const url = await presignSample(context, path, { sizeBytes: SAMPLE_BYTES });
    const put = await context.send(url, { method: "PUT", headers: SAMPLE_HEADERS, body: SAMPLE });
    if (!isSuccess(put)) {
      return fail(
        `storage refuses a presigned PUT (${describe(put)})`,
        "Allow the S3 keys to put objects (s3:PutObject), and check S3_PUBLIC_ENDPOINT and S3_REGION: both are part of the signature.",
      );
    }
    const head = await context.store.head(path);
    if (head?.sizeBytes !== SAMPLE_BYTES) {
      return fail(
        head
          ? `the uploaded object has ${head.sizeBytes} bytes instead of ${SAMPLE_BYTES}`
          : "the service does not find the uploaded object",
        "Check that S3_ENDPOINT and S3_PUBLIC_ENDPOINT are the same storage.",
      );
    }
    const get = await context.send(await presignRead(context, path));
    if (!isSuccess(get) || get.body !== SAMPLE)
      return fail(
        `a presigned GET does not return the object (${describe(get)})`,
        "Allow the S3 keys to read objects (s3:GetObject).",
      );
    return (await tryEmptyFile(context)) ?? ok("an object was uploaded, seen by the service and read back");
  },
};

/** A proxy may take the length 0 for a missing one. */
async function tryEmptyFile(context: ProbeContext): Promise<ProbeResult | null> {
  const path = context.newPath();
  const url = await presignSample(context, path, { sizeBytes: 0 });
  const put = await context.send(url, { method: "PUT", headers: SAMPLE_HEADERS, body: "" });
  if (isSuccess(put) && (await context.store.head(path))?.sizeBytes === 0) return null;
  return warn(
    `storage does not take an empty file (${describe(put)})`,
    "Let the proxy in front of storage pass Content-Length: 0. Until then uploads of empty files fail.",
  );
}

/** A page with scripts, so that a wrong type is dangerous, and long enough that a proxy would compress it. */
const PAGE = {
  body: "<p>stowage doctor</p>\n".repeat(200),
  contentType: "text/html",
  cacheControl: "max-age=60",
};
const WANTED = {
  contentType: "application/octet-stream",
  contentDisposition: `attachment; filename="a b.txt"`,
};

/** Whether a download has the bytes of the object, also in ranges, and the headers that the URL asks for. */
export const downloads: Probe = {
  name: "Headers of downloads",
  async run(context) {
    const { path } = await uploadSample(context, PAGE);
    const { headers } = await read(context, path, WANTED);
    const ignored = [
      headers.get("content-disposition") !== WANTED.contentDisposition && "response-content-disposition",
      headers.get("content-type") !== WANTED.contentType && "response-content-type",
    ].filter((name) => name !== false);
    if (ignored.length > 0)
      return warn(
        `storage ignores ${ignored.join(" and ")} on downloads`,
        "Serve downloads from a separate domain: a browser may execute a file that a user uploaded.",
      );
    const keeps = (sent: Headers, cacheControl: string) => sent.get("cache-control") === cacheControl;
    const cacheControl = "private, max-age=30";
    const asked = await read(context, path, { ...WANTED, cacheControl });
    if (!keeps(headers, PAGE.cacheControl) || !keeps(asked.headers, cacheControl))
      return warn(
        "storage does not keep Cache-Control: neither cache_control of uploads nor reuse of downloads has an effect",
        "Let the proxy in front of storage pass the header Cache-Control, and the parameter response-cache-control.",
      );
    return ok("downloads have the type, name and Cache-Control that their URL asks for");
  },
};

export const ranges: Probe = {
  name: "Bytes and ranges",
  async run(context) {
    const { path } = await uploadSample(context, PAGE);
    const url = await presignRead(context, path, PAGE);
    const whole = await context.send(url, { headers: { "Accept-Encoding": "gzip, br" } });
    if (!isSuccess(whole)) throw new NotChecked(`storage refuses a presigned GET (${describe(whole)})`);
    const { headers, body } = whole;
    if (headers.has("content-encoding") || body !== PAGE.body)
      return warn(
        "downloads are changed on their way, for example compressed by a proxy",
        "Turn compression and other changes off in the proxy in front of storage (in nginx: gzip off): lengths, ranges and ETags must be those of the object.",
      );
    if (headers.get("content-length") !== String(PAGE.body.length))
      return warn(
        "downloads have no Content-Length",
        "Let the proxy in front of storage pass it. Until then browsers show no progress.",
      );
    const range = await context.send(url, { headers: { Range: "bytes=3-6" } });
    const isRange =
      range.status === 206 &&
      range.body === PAGE.body.slice(3, 7) &&
      range.headers.get("content-range") === `bytes 3-6/${PAGE.body.length}`;
    if (!isRange)
      return warn(
        `storage ignores the header Range (${describe(range)})`,
        "Let the proxy in front of storage pass the header Range. Until then films cannot be wound in browsers, a PDF is loaded whole, and the service makes no variants of large files.",
      );
    return ok("a download has the bytes of the object, and ranges of them");
  },
};

async function read(context: ProbeContext, path: string, signed: Parameters<typeof presignRead>[2]) {
  const response = await context.send(await presignRead(context, path, signed));
  if (!isSuccess(response)) throw new NotChecked(`storage refuses a presigned GET (${describe(response)})`);
  return response;
}
