/**
 * Percent-encodes every byte but `A-Z a-z 0-9 - . _ ~`, as SigV4's UriEncode does (RFC 3986 unreserved characters).
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Percent-encodes a path and keeps its slashes. */
export function uriEncodePath(path: string): string {
  return uriEncode(path).replaceAll("%2F", "/");
}
