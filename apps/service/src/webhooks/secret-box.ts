import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { lazy } from "#lib/lazy.js";
import type { RandomBytes } from "#lib/random.js";

/** Encrypts the secrets of webhook endpoints, so that a copy of the database alone does not contain them. */
export interface SecretBox {
  seal(secret: string): Promise<string>;
  /** @throws {Error} if the text was not sealed by one of the keys, for example because SIGN_IN_SECRET has changed */
  open(sealed: string): Promise<string>;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param readKeys the secrets of the installation, the preferred one first: the setting SIGN_IN_SECRET, then the secret in the
 * database. New texts are sealed with the first one. All can open, so the setting may be added later
 */
export function createSecretBox(readKeys: () => Promise<string[]>, randomBytes: RandomBytes): SecretBox {
  const keys = lazy(async () => (await readKeys()).map(deriveKey));
  return {
    async seal(secret) {
      const [key] = await keys();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key!, nonce);
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return sealed.toString("base64");
    },
    async open(sealed) {
      let failure: unknown;
      for (const key of await keys()) {
        try {
          return openWith(key, Buffer.from(sealed, "base64"));
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
  };
}

function openWith(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
}

/** Another key than the one that signs sessions. */
function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "stowage webhook secrets", 32));
}
