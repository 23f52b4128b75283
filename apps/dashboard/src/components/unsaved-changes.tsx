import { Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { createContext, lazy, type ReactNode, useContext, useEffect, useId, useState } from "react";
import { loadChunk } from "../load-chunk.js";
import { unsaved as texts } from "./unsaved-changes-texts.js";
import { MountOnOpen } from "./mount-on-open.js";

const loadQuestion = async () => ({
  default: (await loadChunk(() => import("./confirm-dialog.js"))).ConfirmDialog,
});
const ConfirmDialog = lazy(loadQuestion);

type SetUnsaved = (form: string, isUnsaved: boolean) => void;

const UnsavedChangesContext = createContext<SetUnsaved | null>(null);

/**
 * Asks before the operator leaves a page whose forms have unsaved changes: by a link, by the browser's buttons, or by closing the tab.
 * The forms report their changes with {@link useUnsavedChanges}, so that the page asks once for all of them.
 */
export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const [unsavedForms, setUnsavedForms] = useState<ReadonlySet<string>>(new Set());
  const [setUnsaved] = useState(() => (form: string, isUnsaved: boolean) => {
    setUnsavedForms((forms) => {
      const others = [...forms].filter((each) => each !== form);
      return new Set(isUnsaved ? [...others, form] : others);
    });
  });
  // Loaded early, because the browser may be offline when the question is needed. The lazy component reports an error then.
  useEffect(() => void loadQuestion().catch(() => undefined), []);
  const hasChanges = unsavedForms.size > 0;
  const { status, proceed, reset } = useBlocker({
    // Without a session nothing can be saved, so the way to the sign-in page stays open.
    shouldBlockFn: ({ current, next }) => next.pathname !== current.pathname && next.pathname !== "/sign-in",
    enableBeforeUnload: hasChanges,
    disabled: !hasChanges,
    withResolver: true,
  });
  return (
    <UnsavedChangesContext value={setUnsaved}>
      {children}
      <MountOnOpen opened={status === "blocked"}>
        <ConfirmDialog
          title={texts.title}
          action={texts.leave}
          cancel={texts.stay}
          opened={status === "blocked"}
          isBusy={false}
          error={null}
          onConfirm={() => proceed?.()}
          onClose={() => reset?.()}
        >
          <Text size="sm">{texts.hint}</Text>
        </ConfirmDialog>
      </MountOnOpen>
    </UnsavedChangesContext>
  );
}

/** Reports to {@link UnsavedChangesGuard} whether a form has unsaved changes. */
export function useUnsavedChanges(isUnsaved: boolean): void {
  const setUnsaved = useContext(UnsavedChangesContext);
  const form = useId();
  useEffect(() => {
    setUnsaved?.(form, isUnsaved);
    return () => setUnsaved?.(form, false);
  }, [setUnsaved, form, isUnsaved]);
}
