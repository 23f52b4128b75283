/**
 * A path on this origin. Prevents open redirects: browsers read `//evil.example` and `/\evil.example` as another host, and they
 * remove tabs and line breaks before they parse.
 */
export function localPath(value: unknown): string | undefined {
  const isLocal = typeof value === "string" && /^\/(?![/\\])/.test(value) && !/[\t\r\n]/.test(value);
  return isLocal ? value : undefined;
}
