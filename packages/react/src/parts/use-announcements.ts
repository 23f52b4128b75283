import { createRef, useState } from "react";
import { browserRuntime } from "../core/runtime.js";
import type { UploadSnapshot } from "../core/upload-settings.js";
import { createAnnouncer } from "./announcer.js";
import type { Words } from "./labels.js";
import { useDrawnEffect } from "./use-drawn-effect.js";

/** A live region that says what happens to the files, and a way to have it say more. */
export function useAnnouncements(snapshot: UploadSnapshot, labels: Words) {
  const [{ region, note, say }] = useState(() => {
    // Always in the page, and empty at first: a region that comes with its text is not read.
    const region = createRef<HTMLDivElement>();
    // Each time a new node, so that the same sentence is read again.
    const speak = (text: string) => region.current?.replaceChildren(text);
    return { region, ...createAnnouncer(browserRuntime, snapshot, speak) };
  });
  // Before the parts within say what follows from it.
  useDrawnEffect(() => note(snapshot, labels), [note, snapshot, labels]);
  return [region, say] as const;
}
