import type { UploadSnapshot } from "@stowage/client";
import { browserRuntime, createAnnouncer, type ActiveLabels } from "@stowage/client/internals";
import { createRef, useState } from "react";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

/**
 * Announces changes of the list in a live region.
 *
 * @returns the ref of the region's element, and a function that announces one more sentence
 */
export function useAnnouncer(snapshot: UploadSnapshot, labels: ActiveLabels) {
  const [{ region, update, announce }] = useState(() => {
    // The region must be in the page, and empty, before its first text: screen readers ignore a new region with text.
    const region = createRef<HTMLDivElement>();
    // replaceChildren creates a new text node, so the same sentence is read again.
    const speak = (text: string) => region.current?.replaceChildren(text);
    return { region, ...createAnnouncer(browserRuntime, snapshot, speak) };
  });
  // A layout effect, so that this runs before the effects of the parts inside announce what follows from the change.
  useIsomorphicLayoutEffect(() => update(snapshot, labels), [update, snapshot, labels]);
  return [region, announce] as const;
}
