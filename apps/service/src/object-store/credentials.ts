/** Keys that sign requests to storage. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Temporary keys have one. It is part of every request and URL that they sign. */
  sessionToken?: string;
  /** When temporary keys end, and every URL that they signed. Undefined: they do not end, or their source does not say when. */
  expiration?: Date;
}

/** Returns the keys to sign with now. Call it for each signature, because temporary keys are replaced. */
export type CredentialsProvider = () => Promise<Credentials>;

/** @param credentials keys that never change, or their provider */
export function toProvider(credentials: Credentials | CredentialsProvider): CredentialsProvider {
  return typeof credentials === "function" ? credentials : async () => credentials;
}

/**
 * The same provider for clients of the AWS SDK. They keep keys that do not end soon, and would miss those that replace them.
 */
export function askEachTime(
  credentials: Credentials | CredentialsProvider,
): Credentials | CredentialsProvider {
  if (typeof credentials !== "function") return credentials;
  return async () => ({ ...(await credentials()), expiration: new Date() });
}
