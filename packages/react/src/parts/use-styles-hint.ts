import { browserRuntime, hintOnce } from "@stowage/client/internals";
import { useEffect } from "react";
import { useRootView } from "./upload-context.js";

/** Some development servers add a style sheet a moment after the first render. */
const CHECK_AFTER_MS = 2_000;

/**
 * Tells the developer of a page with a styled component that the style sheet is missing. The style sheet sets `--stowage-styles`,
 * and a page with styles of its own can do so too.
 */
export function useStylesHint(): void {
  const { rootRef } = useRootView();
  useEffect(
    () =>
      browserRuntime.after(CHECK_AFTER_MS, () => {
        const root = rootRef.current;
        if (root && getComputedStyle(root).getPropertyValue("--stowage-styles") === "") {
          void hintOnce({ cause: "styles-missing" });
        }
      }),
    [rootRef],
  );
}
