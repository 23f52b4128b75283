import { connectOidcInput, DashboardError, startOidcInput } from "@stowage/operator-schemas";
import { parse } from "@stowage/schemas";
import { callLibrary, requestLibrary } from "./better-auth-call.js";
import {
  CALLBACK,
  createOidcPlugin,
  type OidcDeps,
  type OidcPlugin,
  PROVIDER,
} from "./better-auth-oidc-plugin.js";
import { withDatabaseErrors } from "./database-errors.js";
import type { OidcIntent, OidcRefused } from "./oidc.js";
import { discover, ProviderError } from "./oidc-network.js";
import { hashToken } from "./one-time-token.js";
import { auditRefusedOidc, type CallContext, callContext } from "./sign-in-audit.js";
import type { OidcAnswer, OidcReturn, SignInRequest, SignInResponse } from "./sign-in.js";

/** The library redirects here after a sign-in. The browser never sees this path. */
const SUCCESS_PATH = "/signed-in";
/** Then the provider may have changed its addresses. */
const METADATA_VALID_MS = 3600_000;
const LOAD_TIMEOUT_MS = 5000;

/** The parts of better-auth that a sign-in with OpenID Connect needs. */
interface Library {
  handler(request: Request): Promise<Response>;
  $context: Promise<{ socialProviders: { id: string; issuer?: string | undefined }[] }>;
}

/**
 * Signs operators in with better-auth's plugin for OpenID Connect, which keeps state, PKCE verifier and nonce, and verifies the ID token.
 * Who may enter is decided by `admit`, never by the library: it creates and connects no account.
 *
 * @param createLibrary creates better-auth with the plugin. It is another instance than the one for passwords and sessions, because the
 * plugin reads the discovery document when it is created: a provider that is down must not stop them.
 */
export function createOidc(deps: OidcDeps, createLibrary: (plugin: OidcPlugin) => Library) {
  const load = createLoader(deps, createLibrary);
  const loadOrRefuse = () =>
    load().catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      deps.onOidcFailure(error);
      throw new DashboardError("oidc_unreachable", { cause: error });
    });

  async function start(
    request: SignInRequest,
    context: CallContext,
    intent: OidcIntent,
  ): Promise<SignInResponse> {
    const { handler } = await loadOrRefuse();
    const body = {
      provider: PROVIDER,
      callbackURL: SUCCESS_PATH,
      errorCallbackURL: pageOf(intent),
      disableRedirect: true,
      additionalData: { intent },
    };
    const answer = await callLibrary(deps, handler, { ...request, body }, context, "/sign-in/social");
    const { url } = answer.body as { url: string };
    return { ...answer, body: { url } };
  }

  return {
    /** Answers the address of the provider's page. */
    startSignIn(request: SignInRequest, context: CallContext): Promise<SignInResponse> {
      const { to = "/", link } = parse(startOidcInput, request.body);
      const hashed = link && { kind: link.kind, tokenHash: hashToken(link.token) };
      return start(request, context, { to, link: hashed });
    },

    /**
     * As `startSignIn`, for an operator who is signed in and enters the password.
     *
     * @param confirm checks the password of the session of the request
     */
    async startConnect(
      request: SignInRequest,
      context: CallContext,
      confirm: (password: string) => Promise<NonNullable<OidcIntent["connect"]>>,
    ): Promise<SignInResponse> {
      const { password } = parse(connectOidcInput, request.body);
      return start(request, context, { to: "/account", connect: await confirm(password) });
    },

    /** Ends the sign-in of a person who comes back from the provider. */
    async finish(returned: OidcReturn): Promise<OidcAnswer> {
      const context: CallContext = { call: CALLBACK, client: returned.client };
      const response = await handleCallback(returned, context);
      const outcome: Outcome = response instanceof Response ? readOutcome(response, context) : response;
      const cookies = response instanceof Response ? response.headers.getSetCookie() : [];
      if (outcome.refusal === undefined) return { cookies, location: outcome.to, email: outcome.email };
      if (outcome.problem !== undefined) deps.onOidcFailure(new ProviderError("refused", outcome.problem));
      await auditRefusedOidc(deps, context, outcome.refusal);
      const query = new URLSearchParams({ refused: outcome.refusal });
      return { cookies, location: `${outcome.page}?${query}`, email: null };
    },
  };

  async function handleCallback(returned: OidcReturn, context: CallContext) {
    const refused = (error: unknown) => {
      const refusal = refusalOfError(error, context);
      if (refusal === null) throw error;
      return { refusal, page: pageOf(context.oidc?.intent) };
    };
    try {
      const { handler } = await loadOrRefuse();
      const headers = new Headers();
      for (const name of ["cookie", "user-agent"]) headers.set(name, returned.headers.get(name) ?? "");
      const path = `${CALLBACK}${returned.search}`;
      const request = requestLibrary(deps, { path, method: "GET", headers, client: returned.client });
      return await withDatabaseErrors(() => callContext.run(context, () => handler(request)));
    } catch (error) {
      return refused(error);
    }
  }
}
export type Oidc = ReturnType<typeof createOidc>;

type Outcome =
  | { refusal?: undefined; to: string; email: string }
  /** `problem` is for the log. Undefined if it is there already, and if the person is the reason. */
  | { refusal: OidcRefused["refusal"]; page: string; problem?: string | undefined };

function refusalOfError(error: unknown, context: CallContext): OidcRefused["refusal"] | null {
  if (error instanceof DashboardError && error.code === "oidc_unreachable") return "provider_unreachable";
  return context.oidc?.refused?.refusal ?? null;
}

/** Sign-ins end on the sign-in page, connections on the account page. */
function pageOf(intent: OidcIntent | undefined): string {
  return intent?.connect ? "/account" : "/sign-in";
}

/** Reads the library's redirect. */
function readOutcome(response: Response, { oidc }: CallContext): Outcome {
  const location = new URL(response.headers.get("location") ?? "/", "http://stowage.invalid");
  if (oidc?.admitted && location.pathname === SUCCESS_PATH && !location.searchParams.has("error"))
    return oidc.admitted;
  const page = location.pathname === "/account" ? "/account" : "/sign-in";
  if (response.status === 429) return { refusal: "too_many_requests", page };
  const error = location.searchParams.get("error") ?? "";
  if (oidc?.refused) return { refusal: oidc.refused.refusal, page };
  const refusal = refusals[error] ?? "provider_refused";
  return { refusal, page, problem: problemOf(refusal, error, oidc) };
}

/** The cause of a refusal that is neither the person's nor known to the log yet. */
function problemOf(
  refusal: OidcRefused["refusal"],
  error: string,
  oidc: CallContext["oidc"],
): string | undefined {
  const code = /^[a-z_]{1,50}$/.test(error) ? error : "an unknown error";
  if (refusal === "answer_invalid") return oidc?.explain?.() ?? `the provider's answer was refused: ${code}`;
  return refusal === "provider_refused" ? `the sign-in came back with ${code}` : undefined;
}

/** The library's errors, and `access_denied` of the provider (RFC 6749, section 4.1.2.1). Every other error is one of the provider. */
const refusals: Record<string, OidcRefused["refusal"]> = {
  access_denied: "cancelled",
  state_mismatch: "expired",
  state_invalid: "expired",
  state_not_found: "expired",
  invalid_callback_request: "expired",
  unable_to_get_user_info: "answer_invalid",
  issuer_mismatch: "answer_invalid",
  nonce_binding_missing: "answer_invalid",
};

/** Returns a function that creates the library on first use, with the provider's discovery document. It never keeps a failure. */
function createLoader(deps: OidcDeps, createLibrary: (plugin: OidcPlugin) => Library) {
  let loaded: { library: Promise<Library>; until: number } | undefined;
  return (): Promise<Library> => {
    const now = deps.clock().getTime();
    if (loaded && now < loaded.until) return loaded.library;
    const library = loadLibrary(deps, createLibrary);
    const entry = { library, until: now + METADATA_VALID_MS };
    loaded = entry;
    library.catch(() => {
      if (loaded === entry) loaded = undefined;
    });
    return library;
  };
}

async function loadLibrary(deps: OidcDeps, createLibrary: (plugin: OidcPlugin) => Library): Promise<Library> {
  const { issuer } = deps.settings;
  const metadata = await discover(issuer);
  const library = createLibrary(createOidcPlugin(deps, metadata));
  // The plugin reads the document again, without a time limit and without comparing the issuer.
  const context = await withTimeout(library.$context, LOAD_TIMEOUT_MS);
  const provider = context.socialProviders.find(({ id }) => id === PROVIDER);
  if (provider?.issuer !== issuer)
    throw new ProviderError("unreachable", "the second look at discovery failed");
  return library;
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const timer = new AbortController();
  const timeout = AbortSignal.any([timer.signal, AbortSignal.timeout(timeoutMs)]);
  return new Promise<T>((resolve, reject) => {
    timeout.addEventListener("abort", () =>
      reject(new ProviderError("unreachable", "discovery is too slow")),
    );
    work.then(resolve, reject).finally(() => timer.abort());
  });
}
