import type { BrowserRoutesResponse } from "@stowage/schemas";
import { routeNotFoundDetail } from "@stowage/schemas/errors";
import type { Runtime } from "../runtime.js";
import type { PutTarget } from "../transport.js";
import { isLocalNetworkDenied } from "./local-network.js";

/** Why a call failed, and what a developer needs to know to mend it. */
export type Hint =
  | { cause: "server-unreachable"; url: string; fetch: Runtime["fetch"] }
  | { cause: "unexpected-answer"; url: string; method: string; response: Response }
  | { cause: "storage-unreachable"; target: PutTarget }
  /** Not a failure if the backend has the route, or does not tell. The page checks nothing, to be small. */
  | { cause: "route-missing"; route: string | undefined; routes: BrowserRoutesResponse["routes"] | undefined }
  | { cause: "styles-missing" };

const STYLES_MISSING =
  'Stowage: the style sheet is missing. Add import "@stowage/react/styles.css" to the page. If you write the styles yourself, say so with :root { --stowage-styles: own }.';
const CHECK_TIMEOUT_MS = 5_000;
const CHECK_BLOCKERS =
  "check whether an extension, a proxy or a Content-Security-Policy (connect-src) blocks the call.";

/** Whether there is something to mend. */
export function isFailure(hint: Hint): boolean {
  if (hint.cause !== "route-missing") return true;
  const { route, routes } = hint;
  return route !== undefined && routes !== undefined && !Object.hasOwn(routes, route);
}

/** Writes the hint. It names origins and paths of the customer's backend, and never a query, a header or a key. */
export async function hintText(hint: Hint): Promise<string> {
  switch (hint.cause) {
    case "server-unreachable": {
      const address = addressOf(hint.url);
      return serverText(address, await checkAddress(address, hint.fetch));
    }
    case "unexpected-answer":
      return answerText(hint.method, addressOf(hint.url), hint.response);
    case "storage-unreachable":
      return storageText(hint.target);
    case "route-missing":
      return `Stowage: ${routeNotFoundDetail(hint.route ?? "", Object.keys(hint.routes ?? {}))}.`;
    case "styles-missing":
      return STYLES_MISSING;
  }
}

/** Origin and path. The page may have put a secret into the query. */
function addressOf(url: string): string {
  // A frame with srcdoc has the base of its parent, and no address of its own.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  return withoutQuery(new URL(url, base)).replace(/\/+$/, "");
}

type Finding = "nothing-answers" | "answers" | "redirects";

/** Finds out what the first call could not tell: without CORS, the browser reports only whether there was an answer. */
async function checkAddress(address: string, fetch: Runtime["fetch"]): Promise<Finding> {
  // Without a page there is no CORS, so a call without an answer reached no server.
  if (!globalThis.location) return "nothing-answers";
  const init: RequestInit = isOtherOrigin(address) ? { mode: "no-cors" } : { redirect: "manual" };
  try {
    const { type } = await fetch(`${address}/routes`, {
      ...init,
      credentials: "omit",
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    return type === "opaqueredirect" ? "redirects" : "answers";
  } catch {
    return "nothing-answers";
  }
}

const isOtherOrigin = (address: string) => new URL(address).origin !== location.origin;

async function serverText(address: string, finding: Finding): Promise<string> {
  const start = `Stowage: the call of ${address} got no answer.`;
  if (finding === "redirects") {
    return `${start} The server redirects it to another origin, most likely to a page for signing in. Exclude this path from the redirect: the helper itself answers 401 to a user who is signed out.`;
  }
  if (finding === "nothing-answers" && (await isLocalNetworkDenied(address, () => true))) {
    return `${start} ${LOCAL_NETWORK}`;
  }
  if (finding === "nothing-answers") {
    return `${start} Nothing answers at this address. Is your backend running there, and is "endpoint" right? If so, ${CHECK_BLOCKERS}`;
  }
  return isOtherOrigin(address)
    ? `${start} A server answers there, but the browser does not let this page read its answer. Add the origin of the page to the helper: createStowage({ allowedOrigins: ["${location.origin}"] }). If that is set, check whether the server redirects the call, for example to a page for signing in.`
    : `${start} The address answers now, so the connection was lost for a moment. If this happens again, ${CHECK_BLOCKERS}`;
}

function answerText(method: string, address: string, response: Response): string {
  const { status, redirected, url, headers } = response;
  const type = headers.get("Content-Type")?.split(";")[0] ?? "no Content-Type";
  const start = `Stowage: ${method} ${address} answered ${status} (${type}), but this is not an answer of the helper.`;
  if (redirected) {
    return `${start} The call was redirected to ${withoutQuery(new URL(url))}, most likely a page for signing in. Exclude the endpoint from the redirect: the helper itself answers 401 to a user who is signed out.`;
  }
  if (status === 404) {
    return `${start} Mount the helper at this path, and set "endpoint" to it. In Next's app router, the file is app${mountPath(address)}/[...action]/route.ts: without [...action], Next answers 404.`;
  }
  if (status === 405) {
    return `${start} The path does not accept ${method}. Let the helper handle GET, POST and OPTIONS. In Next's app router: export const { GET, POST, OPTIONS } = toNextHandlers(stowage).`;
  }
  if (status >= 500) {
    return `${start} Read the log of your backend. If a development server or a proxy answers for it, check that the backend runs.`;
  }
  if (type === "text/html") {
    return `${start} A server of pages answers in place of your backend. Mount the helper at this path, or forward the path to your backend (Vite: server.proxy).`;
  }
  return `${start} Something else is mounted at this path. Set "endpoint" to the path of the helper.`;
}

/** The path of the endpoint: the address of a call without its action. */
const mountPath = (address: string) => new URL(address).pathname.replace(/\/[^/]*$/, "");

const withoutQuery = ({ origin, pathname }: URL) => origin + pathname;

const LOCAL_NETWORK =
  'The browser does not let this page reach an address of the local network or of this computer: the permission for it was denied, or the question was not answered. Allow it in the settings of this site (local network access), and a frame with allow="local-network-access". Or load page, backend and storage from addresses of the same kind: all public, or all private.';

/**
 * What the bucket needs. The browser hides why a cross-origin request failed, so this is a guess. It names only the origin of the presigned
 * URL: the query is a credential, and the path contains the name of the file.
 */
async function storageText({ headers, presigned_url }: PutTarget): Promise<string> {
  const storage = new URL(presigned_url).origin;
  if (await isLocalNetworkDenied(presigned_url, () => true))
    return `Stowage: storage at ${storage} got no request. ${LOCAL_NETWORK}`;
  const start = `Stowage: 3 uploads in a row got no answer from storage at ${storage}, but your backend answers.`;
  if (!globalThis.location) {
    return `${start} Can this device reach the address? On a phone, localhost is the phone itself: give storage an address of your network. iOS and Android refuse http:// unless the app allows it.`;
  }
  const { origin } = location;
  if (origin === "null") {
    return `${start} This page has no origin (it is a file, a data: URL or a sandboxed frame), so no CORS rule can name it. Load it from an address, or from a scheme of your app, such as app://bundle.`;
  }
  return `${start} The most likely cause is that the bucket has no CORS rules. It needs:
- AllowedOrigins: ${origin}
- AllowedMethods: PUT
- AllowedHeaders: ${Object.keys(headers).join(", ") || "none"}
"stowage cors apply --origin ${origin}" sets them. If they are set, ${CHECK_BLOCKERS}${isReplaced() ? REPLACED : ""}`;
}

/** Whether a script of the page has put its own code in the place of the browser's. */
function isReplaced(): boolean {
  const { XMLHttpRequest: xhr } = globalThis as Partial<typeof globalThis>;
  const methods = xhr ? [xhr, xhr.prototype.open, xhr.prototype.send] : [];
  return methods.some((method) => !/\[native code\]/.test(String(method)));
}

const REPLACED =
  " A script of this page has replaced XMLHttpRequest, as monitoring (Sentry) and CapacitorHttp do. If the preflight asks for headers that are not above, such as baggage or sentry-trace, let the script leave storage out (Sentry: tracePropagationTargets), or allow all headers.";
