/** How storage has to encrypt the objects that are written. */
export interface Encryption {
  algorithm: "AES256" | "aws:kms";
  /** @default the key that the bucket or the account has for this */
  keyId?: string | undefined;
}

/** The names are in alphabetical order and in lower case, as signatures need them. */
type HeaderName = "x-amz-server-side-encryption" | "x-amz-server-side-encryption-aws-kms-key-id";
export type EncryptionHeaders = Readonly<Partial<Record<HeaderName, string>>>;

/** The headers of a PUT of a whole object. A part has none: its upload was started with them. */
export function encryptionHeaders(encryption: Encryption | null): EncryptionHeaders {
  if (!encryption) return {};
  const { algorithm, keyId } = encryption;
  return {
    "x-amz-server-side-encryption": algorithm,
    ...(keyId !== undefined && { "x-amz-server-side-encryption-aws-kms-key-id": keyId }),
  };
}

/** The same as input of the SDK's commands. */
export function encryptionInput(encryption: Encryption | null) {
  return encryption ? { ServerSideEncryption: encryption.algorithm, SSEKMSKeyId: encryption.keyId } : {};
}
