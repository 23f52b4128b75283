import type { ListedFile } from "@stowage/client";
import type { FileBrowserLabels } from "@stowage/client/internals";
import { useState } from "react";
import type { Entry } from "./entries.js";
import type { UseFolderResult } from "./use-folder.js";

/** What a person can do with a file. */
export type FileAction = "rename" | "move" | "delete";

/** The field that is open in the place of a file's name. */
export interface Editing {
  /** Key of the entry. */
  key: string;
  action: Exclude<FileAction, "delete">;
}

/**
 * The actions of the file browser, and what it says about the last one. A text is in the page once, and only until the next action.
 *
 * @param onRestore called with the `file_path` of a file before it is brought back
 */
export function useFileActions(
  { update, remove, restore, lastDeleted }: UseFolderResult,
  {
    labels,
    actions,
    onRestore,
  }: { labels: FileBrowserLabels; actions: readonly FileAction[]; onRestore(path: string): void },
) {
  const [editing, setEditing] = useState<Editing | null>(null);
  /** `after` is the deletion that is over: another action has followed. */
  const [notice, setNotice] = useState<{ text: string; after: UseFolderResult["lastDeleted"] }>({
    text: "",
    after: null,
  });
  const deleted = lastDeleted === notice.after ? null : lastDeleted;
  const say = (text: string) => setNotice({ text, after: lastDeleted });
  return {
    editing,
    /** Empty if there is nothing to say. */
    text: deleted ? labels.deleted(deleted.file.filename) : notice.text,
    canUndo: deleted?.isRestorable === true,
    say,
    act(action: FileAction, { key, file }: Entry) {
      if (!file || !actions.includes(action)) return;
      if (action === "delete") {
        say("");
        void remove(file);
      } else {
        // The deletion before it can still be undone, until the name is saved.
        setNotice((now) => ({ ...now, text: "" }));
        setEditing({ key, action });
      }
    },
    async save(file: ListedFile, { key, action }: Editing, value: string) {
      if (!(await update(file, action === "rename" ? { filename: value } : { folder: value }))) return;
      // A person may have opened another field since then.
      setEditing((now) => (now?.key === key && now.action === action ? null : now));
      const folder = value === "" ? labels.root : value;
      say(action === "rename" ? labels.renamed(value) : labels.moved(file.filename, folder));
    },
    async undo() {
      if (!deleted?.isRestorable) return;
      const { file } = deleted;
      onRestore(file.file_path);
      if (await restore(file)) say(labels.restored(file.filename));
    },
    closeField: () => setEditing(null),
    /** For another folder. */
    reset() {
      setEditing(null);
      say("");
    },
  };
}
