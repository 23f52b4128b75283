export interface ProviderAccount {
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The people of the provider by their login. The password may be any text. */
  accounts: Map<string, ProviderAccount>;
  /**
   * Changes an answer before it is sent, as a hostile or broken provider would. Its path is `/token`, `/me` (user info) or
   * `/.well-known/openid-configuration`.
   */
  alter: ((path: string, body: Record<string, unknown>) => unknown) | null;
  /** `hangs`: answers nothing. `fails`: answers 503. */
  mode: "works" | "hangs" | "fails";
  /** Signs a token with the provider's key. */
  sign(claims: Record<string, unknown>): string;
  /** The path of each request. */
  requests: string[];
  close(): Promise<void>;
}

/** Starts a provider on a free port of 127.0.0.1, with one client. It asks for a login and for consent on pages of its own. */
export function startProvider(options: { redirectUri: string }): Promise<TestProvider>;
