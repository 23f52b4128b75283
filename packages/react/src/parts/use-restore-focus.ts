import { focusTarget, type LastFocus, lastFocusAt } from "@stowage/client/internals";
import { type FocusEvent, type RefObject, useRef } from "react";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

/**
 * Keeps the focus inside the root when the focused button disappears, because its file was removed, cancelled or
 * finished. The focus moves to the same file, else to the file that took its place, else to the trigger. Otherwise the
 * browser would move it to the body, and a keyboard user would start again at the top of the page.
 */
export function useRestoreFocus(rootRef: RefObject<HTMLElement | null>) {
  const last = useRef<LastFocus | null>(null);

  useIsomorphicLayoutEffect(() => {
    const root = rootRef.current;
    const lost = last.current;
    if (!root || !lost || lost.element.isConnected) {
      return;
    }
    last.current = null;
    if (document.activeElement !== document.body) {
      return;
    }
    const target = focusTarget(root, lost);
    // The root itself is the target only if the list is empty and the trigger is missing or disabled.
    if (target === root) {
      root.tabIndex = -1;
    }
    target.focus();
  });

  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      last.current = lastFocusAt(target, rootRef.current);
    },
    onBlur() {
      last.current = null;
    },
  };
}
