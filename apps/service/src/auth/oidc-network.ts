import * as z from "zod";

/*
 * The calls to the OpenID Connect provider. Each has a time limit and a size limit, and follows no redirect: the provider's tokens and
 * our client secret must not go to another host.
 */

const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** The provider did not answer, or its answer cannot be used. The message contains no token, secret or personal data. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** `unreachable`: another try may succeed. `refused`: the provider has refused the request. */
  readonly kind: "unreachable" | "refused";

  constructor(kind: ProviderError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).min(1),
});
export type ProviderMetadata = z.output<typeof metadataSchema>;

/** The address of the provider's discovery document: OpenID Connect Discovery 1.0, section 4. */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/**
 * Reads the provider's discovery document, and checks that it is the document of this issuer and that all its addresses are safe.
 *
 * @throws {ProviderError}
 */
export async function discover(issuer: string): Promise<ProviderMetadata> {
  const { status, body } = await request("discovery", discoveryUrl(issuer), {});
  if (status !== 200) throw new ProviderError("unreachable", `discovery answered ${status}`);
  const parsed = metadataSchema.safeParse(body);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new ProviderError("unreachable", `the discovery document has no usable ${field || "content"}`);
  }
  const metadata = parsed.data;
  // OpenID Connect Discovery 1.0, section 4.3: it must be identical.
  if (metadata.issuer !== issuer) {
    throw new ProviderError("unreachable", `OIDC_ISSUER must be exactly ${metadata.issuer.slice(0, 500)}`);
  }
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] as const) {
    if (!isSafeUrl(metadata[name], issuer)) {
      throw new ProviderError("unreachable", `${name} of the discovery document is not an https URL`);
    }
  }
  return metadata;
}

/** Plain http is for a provider on this machine: settings/operators.ts allows no other issuer with http. */
function isSafeUrl(url: string | undefined, issuer: string): boolean {
  if (url === undefined) return true;
  return URL.canParse(url) && [new URL(issuer).protocol, "https:"].includes(new URL(url).protocol);
}

const tokensSchema = z.object({ id_token: z.string(), access_token: z.string().optional() });

/**
 * Exchanges the code of a sign-in for tokens: RFC 6749, section 4.1.3, with the verifier of RFC 7636.
 *
 * @throws {ProviderError}
 */
export async function exchangeCode(
  metadata: ProviderMetadata,
  client: { clientId: string; clientSecret: string },
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<{ idToken: string; accessToken: string | undefined }> {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  });
  const headers: Record<string, string> = {};
  // Without the list, a provider supports client_secret_basic (OpenID Connect Discovery 1.0, section 3).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (methods.includes("client_secret_basic")) {
    const credentials = [client.clientId, client.clientSecret].map(formEncoded).join(":");
    headers["Authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
  } else {
    form.set("client_id", client.clientId);
    form.set("client_secret", client.clientSecret);
  }
  const { status, body } = await request("the token endpoint", metadata.token_endpoint, {
    method: "POST",
    headers,
    body: form,
  });
  if (status !== 200) {
    const kind = status >= 500 || status === 429 ? "unreachable" : "refused";
    throw new ProviderError(kind, `the token endpoint answered ${status}${errorCodeOf(body)}`);
  }
  const tokens = tokensSchema.safeParse(body);
  if (!tokens.success) throw new ProviderError("refused", "the token endpoint sent no ID token");
  return { idToken: tokens.data.id_token, accessToken: tokens.data.access_token };
}

/** RFC 6749, section 2.3.1. */
function formEncoded(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice(2);
}

/** A code such as `invalid_client` tells the engineer which setting is wrong. Other texts of the provider are not logged. */
function errorCodeOf(body: unknown): string {
  const { error } = Object(body) as { error?: unknown };
  return typeof error === "string" && /^[a-z_]{1,50}$/.test(error) ? `: ${error}` : "";
}

/** Reads the claims of the person whose access token this is. @throws {ProviderError} */
export async function readUserInfo(url: string, accessToken: string): Promise<unknown> {
  const { status, body } = await request("the user info endpoint", url, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  if (status !== 200) throw new ProviderError("refused", `the user info endpoint answered ${status}`);
  return body;
}

async function request(
  name: string,
  url: string,
  init: RequestInit,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { Accept: "application/json", ...init.headers },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, body: await readJson(response) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    const isTimeout = Object(cause).name === "TimeoutError";
    const { code } = Object(Object(cause).cause) as { code?: unknown };
    const reason = isTimeout
      ? `did not answer within ${TIMEOUT_MS} ms`
      : `cannot be reached (${String(code ?? "network error")})`;
    throw new ProviderError("unreachable", `${name} ${reason}`);
  }
}

/** Null: the body is not JSON. */
async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES)
      throw new ProviderError("unreachable", "an answer of the provider is too long");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}
