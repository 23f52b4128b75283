/** Removes what must not be in a report: the API key, and the addresses that give access by themselves. */
export interface Secrets {
  /** From now on `redact` removes this text. */
  add(secret: string): void;
  /** From now on `redact` removes this URL of a share link, and its token. */
  addLink(url: string): void;
  redact(text: string): string;
}

/** The query of a URL that a signature makes valid: of S3, of CloudFront and of Bunny. */
const SIGNED_QUERY = /\?[^\s"'<>]*(?:X-Amz-|Signature=|token=)[^\s"'<>]*/gi;
const KEY = /stow_live_\w+/g;
const MIN_SECRET_LENGTH = 8;

export function createSecrets(key: string): Secrets {
  const known = new Map<string, string>();
  const add = (secret: string, name: string) => {
    if (secret.length >= MIN_SECRET_LENGTH) known.set(secret, name);
  };
  add(key, "‹API key›");
  return {
    add(secret) {
      add(secret, "‹presigned URL›");
      // The signature alone would give access too, so it is removed wherever a server repeats it.
      if (!URL.canParse(secret)) return;
      for (const [name, value] of new URL(secret).searchParams)
        if (/signature|token|credential|policy/i.test(name)) add(value, "‹signature›");
    },
    addLink(url) {
      add(url.split("/").at(-1) ?? "", "‹token of a link›");
    },
    redact(text) {
      let clean = text;
      for (const [secret, name] of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, name);
      return clean.replaceAll(SIGNED_QUERY, "?‹signature›").replaceAll(KEY, "‹API key›");
    },
  };
}
