import type { ListedFile } from "@stowage/client";
import type { FileBrowserLabels } from "@stowage/client/internals";
import { useId, useRef, useState } from "react";
import { useIsomorphicLayoutEffect } from "../parts/use-isomorphic-layout-effect.js";
import { parentOf } from "./entries.js";
import type { Editing } from "./use-file-actions.js";

interface EntryFormProps {
  file: ListedFile;
  action: Editing["action"];
  /** The folder that is shown, and those in it. */
  folder: string;
  subfolders: readonly string[];
  labels: FileBrowserLabels;
  /** @param value a name, or a folder */
  onSave(value: string): Promise<void>;
  onCancel(): void;
}

/** A field for a new name or another folder, in the place of the file's name: Enter saves, Escape cancels. */
export function EntryForm({ file, action, folder, subfolders, labels, onSave, onCancel }: EntryFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [isSaving, setSaving] = useState(false);
  const isMove = action === "move";
  const value = isMove ? folder : file.filename;
  // Only when the field opens: later it would replace what a person has selected.
  const [selectTo] = useState(isMove ? folder.length : withoutExtension(file.filename).length);
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
        aria-label={isMove ? labels.newFolder(file.filename) : labels.newName(file.filename)}
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
          {[parentOf(folder), ...subfolders].filter(Boolean).map((name) => (
            <option key={name} value={name}>
              {name}
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
