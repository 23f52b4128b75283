/**
 * The headers of a page, around its Content-Security-Policy. No page may put it into a frame, and it gives its address to no other site.
 *
 * @param policy the directives of this page; those that hold for every page are added
 * @param options.defaultSource what the page may load. @default 'self'
 * @param options.formTargets where its forms may lead, redirects included. @default 'self'
 */
export function pageHeaders(
  policy: readonly string[],
  { defaultSource = "'self'", formTargets = "'self'" } = {},
): Record<string, string> {
  const directives = [
    `default-src ${defaultSource}`,
    ...policy,
    "object-src 'none'",
    "base-uri 'none'",
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
  ];
  return {
    "Content-Security-Policy": directives.join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
  };
}
