import type { FileBrowserLabels } from "@stowage/client/internals";
import { useId, useRef, useState } from "react";
import { useIsomorphicLayoutEffect } from "../parts/use-isomorphic-layout-effect.js";
import { type Entry, parentOf } from "./entries.js";
import type { Editing } from "./use-file-actions.js";

interface EntryFormProps {
  entry: Entry;
  action: Editing["action"];
  /** The folder that is shown, and those in it. */
  folder: string;
  subfolders: readonly string[];
  labels: FileBrowserLabels;
  locale: string | undefined;
  /** @param value a name, or a folder */
  onSave(value: string): Promise<void>;
  onCancel(): void;
}

/** What is in the place of an entry's name while it is changed: Enter saves, Escape cancels. */
export function EntryForm(props: EntryFormProps) {
  return props.action === "delete" ? <DeleteForm {...props} /> : <TextForm {...props} />;
}

/** Asks before a folder is deleted. The focus is on the button that does no harm. */
function DeleteForm({ entry, labels, locale, onSave, onCancel }: EntryFormProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const questionId = useId();
  useIsomorphicLayoutEffect(() => cancel.current?.focus(), []);
  const files = labels.fileCount(entry.folder?.file_count ?? 0, locale);
  return (
    <form
      className="stowage-entry-form"
      onSubmit={(event) => {
        event.preventDefault();
        void onSave("");
      }}
    >
      <span id={questionId}>{labels.confirmDelete(entry.name, files)}</span>
      <button type="submit" className="stowage-link" aria-describedby={questionId}>
        {labels.delete}
      </button>
      <button
        ref={cancel}
        type="button"
        className="stowage-link"
        aria-describedby={questionId}
        onClick={onCancel}
      >
        {labels.cancel}
      </button>
    </form>
  );
}

/** A field for a new name or another folder. */
function TextForm({ entry, action, folder, subfolders, labels, onSave, onCancel }: EntryFormProps) {
  const { name, file } = entry;
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [isSaving, setSaving] = useState(false);
  const isMove = action === "move";
  const value = isMove ? folder : name;
  // Only when the field opens: later it would replace what a person has selected.
  const [selectTo] = useState(isMove ? folder.length : (file ? withoutExtension(name) : name).length);
  // Before the layout effect of the list, which would find that the focus is lost.
  useIsomorphicLayoutEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, selectTo);
  }, [selectTo]);
  const save = async () => {
    const next = input.current?.value.trim() ?? "";
    // Only the root has an empty name.
    if (isSaving || (next === "" && !isMove)) return;
    if (next === value) return onCancel();
    setSaving(true);
    await onSave(next);
    setSaving(false);
  };
  return (
    <form
      className="stowage-entry-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        ref={input}
        aria-label={isMove ? labels.newFolder(name) : labels.newName(name)}
        defaultValue={value}
        required={!isMove}
        dir="auto"
        list={isMove ? listId : undefined}
        autoComplete="off"
        // Not `disabled`, which would take the focus away.
        readOnly={isSaving}
      />
      {isMove && (
        <datalist id={listId}>
          {[parentOf(folder), ...subfolders]
            .filter((other) => other !== "" && other !== entry.folder?.folder)
            .map((other) => (
              <option key={other} value={other}>
                {other}
              </option>
            ))}
        </datalist>
      )}
      <button type="submit" className="stowage-link">
        {labels.save}
      </button>
      <button type="button" className="stowage-link" onClick={onCancel}>
        {labels.cancel}
      </button>
    </form>
  );
}

/** A person changes the name more often than the type. */
function withoutExtension(filename: string): string {
  const end = filename.lastIndexOf(".");
  return end > 0 ? filename.slice(0, end) : filename;
}
