/** @throws {Error} in a browser, where no API key may ever be */
export function refuseBrowser(): void {
  if ("window" in globalThis && "document" in globalThis) {
    throw new Error(
      "@stowage/server/client was loaded in a browser: import it in server code alone, where the API key stays secret, and regenerate a key that was bundled",
    );
  }
}
