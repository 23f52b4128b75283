/**
 * Throws in a browser, where the API key would be public.
 *
 * @param message what happened and what to do next
 */
export function refuseBrowser(message: string): void {
  if ("window" in globalThis && "document" in globalThis) throw new Error(message);
}
