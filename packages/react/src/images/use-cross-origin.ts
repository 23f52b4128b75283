import { useState } from "react";

/**
 * How an image of another origin is loaded. An isolated page shows it only with CORS; other pages do not need CORS, and its storage may not
 * allow it. So what fails in one way is tried once in the other.
 *
 * @param onBroken called when both ways have failed
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Cross-Origin-Embedder-Policy
 */
export function useCrossOrigin(url: string | undefined, onBroken: () => void) {
  // A page with only one of the two headers of isolation is not found here.
  const [usesCors, setUsesCors] = useState(
    () => typeof crossOriginIsolated !== "undefined" && crossOriginIsolated,
  );
  const [failedUrl, setFailedUrl] = useState<string>();
  return {
    /** Another one makes the browser load the image again. */
    key: String(usesCors),
    crossOrigin: usesCors ? ("anonymous" as const) : undefined,
    onError() {
      if (url === failedUrl) return onBroken();
      setFailedUrl(url);
      setUsesCors(!usesCors);
    },
  };
}
