/**
 * The headers of a page, around its Content-Security-Policy. No page may put it into a frame, and it gives its address to no other site.
 *
 * @param policy the directives of this page; those that hold for every page are added
 */
export function pageHeaders(policy: readonly string[]): Record<string, string> {
  const directives = [
    "default-src 'self'",
    ...policy,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": directives.join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
