import { createHash } from "node:crypto";
import { EXPOSED_HEADERS } from "../apply-cors.js";
import {
  describe,
  fail,
  isSuccess,
  NotChecked,
  ok,
  presignRead,
  presignSample,
  presignSamplePart,
  putPart,
  type Probe,
  type ProbeContext,
  type ProbeResponse,
  type ProbeResult,
  SAMPLE,
  SAMPLE_TYPE,
  uploadSample,
  uploadSampleParts,
  warn,
} from "../probe.js";

const MD5 = createHash("md5").update(SAMPLE).digest("base64");
const PUT_HEADERS = { "Content-Type": SAMPLE_TYPE, "Content-MD5": MD5 };
const REQUIRED = ["content-type", "content-md5"];

/**
 * Sends the preflight requests that a browser sends before the PUTs of a page of this origin, and such a PUT, and judges the answers as
 * Fetch does (https://fetch.spec.whatwg.org/#cors-preflight-fetch). `cache_control` has a preflight of its own, because storage answers
 * a preflight as a whole, and uploads without it work.
 */
export function cors(origin: string): Probe {
  return {
    name: "CORS",
    async run(context) {
      const mixed = mixedContent(origin, context.publicEndpoint);
      if (mixed) return mixed;
      const required = [...REQUIRED, ...Object.keys(context.store.encryptionHeaders)];
      const url = await presignSample(context, context.newPath(), { contentMd5: MD5 });
      // A part has no Content-Type, and without content_md5 it has no header at all that has to be allowed.
      const part = { path: context.newPath(), uploadId: "preflight" };
      const partUrl = await presignSamplePart(context, part, { number: 1, sizeBytes: SAMPLE.length });
      const refused =
        (await refusedPreflight(context, url, origin, required)) ??
        (await refusedPreflight(context, partUrl, origin, []));
      if (refused) return refused;
      const put = await context.send(url, {
        method: "PUT",
        headers: { ...PUT_HEADERS, Origin: origin },
        body: SAMPLE,
      });
      if (!isSuccess(put))
        throw new NotChecked(`the preflight allows the PUT, but storage refuses it (${describe(put)})`);
      if (!mayRead(origin, put))
        return fail(
          `the preflight for ${origin} allows the PUT, but the answer to the PUT ${allowedBy(put)}: the page sees a network error`,
          "Let what answers the preflights, such as a gateway, add Access-Control-Allow-Origin to the answers of PUT and GET too.",
        );
      const all = [...required, "cache-control"];
      if (await refusedPreflight(context, url, origin, all))
        return warn(
          `pages of ${origin} may upload, but no file with cache_control: the header cache-control is not allowed`,
          applyCors(origin),
        );
      return ok(`pages of ${origin} may upload`);
    },
  };
}

/** Whether a page of this origin can read a file with `fetch`, in ranges, and the headers that readers of files need. */
export function corsOfDownloads(origin: string): Probe {
  return {
    name: "CORS of downloads",
    async run(context) {
      const { path } = await uploadSample(context);
      const url = await presignRead(context, path);
      const answer = await context.send(url, { headers: { Origin: origin, Range: "bytes=0-3" } });
      if (!isSuccess(answer)) throw new NotChecked(`storage refuses a presigned GET (${describe(answer)})`);
      const found = judgeRead(origin, answer);
      return found ? warn(found, applyCors(origin)) : ok(`pages of ${origin} may read files`);
    },
  };
}

/**
 * Whether a page of this origin can send parts. Swift keeps parts in a container of their own, whose rules are not those that answer a
 * preflight.
 */
export function corsOfParts(origin: string): Probe {
  return {
    name: "CORS of parts",
    async run(context) {
      const upload = await uploadSampleParts(context);
      const put = await putPart(context, upload, { number: 1, body: SAMPLE, headers: { Origin: origin } });
      if (!isSuccess(put)) throw new NotChecked(`storage refuses the PUT of a part (${describe(put)})`);
      if (!mayRead(origin, put))
        return fail(
          `pages of ${origin} cannot upload by parts: the answer to the PUT of a part ${allowedBy(put)}`,
          applyCors(origin),
        );
      return ok(`pages of ${origin} may upload by parts`);
    },
  };
}

/** @returns what keeps a page of the origin from the file or its headers, or null */
export function judgeRead(origin: string, answer: ProbeResponse): string | null {
  const { headers } = answer;
  if (!mayRead(origin, answer))
    return `pages of ${origin} cannot read files with fetch: the answer to a GET ${allowedBy(answer)}`;
  const exposed = toList(headers.get("access-control-expose-headers")).map((name) => name.toLowerCase());
  // Fetch lets pages read Content-Length without it.
  const hidden = EXPOSED_HEADERS.filter(
    (name) => name !== "Content-Length" && !exposed.includes("*") && !exposed.includes(name.toLowerCase()),
  );
  if (hidden.length > 0)
    return `pages of ${origin} may read files, but not the headers ${hidden.join(", ")}: a reader of PDFs or films then loads the whole file`;
  const vary = toList(headers.get("vary")).map((name) => name.toLowerCase());
  if (allowedOrigin(answer) !== "*" && !vary.includes("origin") && !vary.includes("*"))
    return `an answer for pages of ${origin} has no "Vary: Origin": a cache may give it to pages of other origins, which then cannot read it`;
  return null;
}

/** Browsers send nothing from a page with TLS to an address without it, except to this machine. */
function mixedContent(origin: string, publicEndpoint: string): ProbeResult | null {
  const { protocol, hostname } = new URL(publicEndpoint);
  const isLocal = /^(127\.[\d.]+|\[::1\]|localhost|.+\.localhost)$/.test(hostname);
  if (!origin.startsWith("https:") || protocol === "https:" || isLocal) return null;
  return fail(
    `browsers send nothing from ${origin} to ${publicEndpoint}, because it has no TLS`,
    "Set S3_PUBLIC_ENDPOINT to an address with https:.",
  );
}

async function refusedPreflight(
  context: ProbeContext,
  url: string,
  origin: string,
  required: string[],
): Promise<ProbeResult | null> {
  const response = await context.send(url, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "PUT",
      // Fetch sends them in this order.
      ...(required.length > 0 && { "Access-Control-Request-Headers": required.toSorted().join(",") }),
    },
  });
  const missing = missingPermissions(origin, required, response);
  if (missing.length > 0)
    return fail(
      `the preflight for ${origin} (HTTP ${response.status}) does not allow ${missing.join(", ")}`,
      allowedOrigin(response)?.includes(",") ? ONE_PLACE : applyCors(origin),
    );
  if (isSuccess(response)) return null;
  return fail(
    `the preflight for ${origin} has the right headers, but HTTP ${response.status}: browsers accept 200 to 299 only`,
    response.status >= 300 && response.status < 400
      ? "Set S3_PUBLIC_ENDPOINT to the address to which storage redirects: browsers follow no redirect of a preflight."
      : "Let what is in front of storage pass OPTIONS requests without a sign-in, and their answers unchanged.",
  );
}

function missingPermissions(origin: string, required: string[], response: ProbeResponse): string[] {
  const list = (name: string) => toList(response.headers.get(`access-control-allow-${name}`));
  const methods = list("methods");
  const headers = list("headers").map((name) => name.toLowerCase());
  return [
    ...(mayRead(origin, response) ? [] : [`the origin (it ${allowedBy(response)})`]),
    // A method is compared with its case.
    ...(methods.includes("PUT") || methods.includes("*") ? [] : ["PUT"]),
    ...required.filter((name) => !headers.includes("*") && !headers.includes(name)),
  ];
}

const allowedOrigin = ({ headers }: ProbeResponse) => headers.get("access-control-allow-origin");

/** The header is compared as a whole, so a list of origins allows none: https://fetch.spec.whatwg.org/#concept-cors-check */
export function mayRead(origin: string, response: ProbeResponse): boolean {
  const allowed = allowedOrigin(response);
  return allowed === "*" || allowed === origin;
}

function allowedBy(response: ProbeResponse): string {
  const allowed = allowedOrigin(response);
  return allowed === null
    ? "has no Access-Control-Allow-Origin"
    : `says "Access-Control-Allow-Origin: ${allowed}"`;
}

const ONE_PLACE =
  "Let only one place add Access-Control-Allow-Origin, with one value: storage, or the proxy in front of it.";
const applyCors = (origin: string) => `Run: stowage cors apply --origin ${origin}`;

function toList(header: string | null): string[] {
  return (header ?? "").split(",").map((value) => value.trim());
}

/** Replaces {@link cors} if the operator gives no origin. */
export const noOrigin: Probe = {
  name: "CORS",
  run: async () => ({
    verdict: "info",
    found: "not checked, because no origin was given",
    whatToDo: "Name the origins of the pages that upload: --origin https://app.example.com",
  }),
};
