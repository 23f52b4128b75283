import type { ListedFile, ListedFolder } from "@stowage/client";
import type { FileBrowserLabels } from "@stowage/client/internals";
import { useState } from "react";
import { type Entry, joinFolder, lastSegmentOf, parentOf } from "./entries.js";
import type { UseFolderResult } from "./use-folder.js";

/** What a person can do with a file or a folder. */
export type FileAction = "rename" | "move" | "delete";

/** The field that is open in the place of an entry's name, or the question whether to delete a folder. */
export interface Editing {
  /** Key of the entry. */
  key: string;
  action: FileAction;
}

interface ActionOptions {
  labels: FileBrowserLabels;
  locale: string | undefined;
  /** For files, and for folders. */
  actions: readonly FileAction[];
  folderActions: readonly FileAction[];
  /** Called with the `file_path` of a file before it is brought back. */
  onRestore(path: string): void;
}

/** The actions of the file browser, and what it says about the last one. A text is in the page once, and only until the next action. */
export function useFileActions(
  { update, remove, restore, lastDeleted, job, moveFolder, removeFolder }: UseFolderResult,
  { labels, locale, actions, folderActions, onRestore }: ActionOptions,
) {
  const [editing, setEditing] = useState<Editing | null>(null);
  /** `after` is the deletion that is over: another action has followed. */
  const [notice, setNotice] = useState<{ text: string; after: UseFolderResult["lastDeleted"] }>({
    text: "",
    after: null,
  });
  const deleted = lastDeleted === notice.after ? null : lastDeleted;
  const say = (text: string) => setNotice({ text, after: lastDeleted });
  const running = job?.state === "running" ? job : null;
  const runningText = running
    ? labels[running.to === null ? "deletingFolder" : "movingFolder"](lastSegmentOf(running.folder))
    : "";

  async function saveFile(file: ListedFile, { key, action }: Editing, value: string) {
    if (!(await update(file, action === "rename" ? { filename: value } : { folder: value }))) return;
    // A person may have opened another field since then.
    setEditing((now) => (now?.key === key && now.action === action ? null : now));
    const folder = value === "" ? labels.root : value;
    say(action === "rename" ? labels.renamed(value) : labels.moved(file.filename, folder));
  }

  async function saveFolder({ folder }: ListedFolder, { action }: Editing, value: string) {
    const name = lastSegmentOf(folder);
    setEditing(null);
    say("");
    const to = action === "rename" ? joinFolder(parentOf(folder), value) : joinFolder(value, name);
    const done = await (action === "delete" ? removeFolder(folder) : moveFolder(folder, to));
    if (!done) return;
    const text = {
      rename: () => labels.renamed(value),
      move: () => labels.moved(name, value === "" ? labels.root : value),
      delete: () => labels.deleted(name),
    }[action]();
    say(done.kept > 0 ? `${text} ${labels.unchanged(labels.fileCount(done.kept, locale))}` : text);
  }

  return {
    editing,
    /** Empty if there is nothing to say. */
    text: deleted ? labels.deleted(deleted.file.filename) : notice.text || runningText,
    /** The change of a folder that runs, and its text. */
    running: running && { ...running, text: runningText },
    canUndo: deleted?.isRestorable === true,
    say,
    act(action: FileAction, { key, file }: Entry) {
      if (!(file ? actions : folderActions).includes(action) || (!file && running)) return;
      if (file && action === "delete") {
        say("");
        void remove(file);
      } else {
        // The deletion before it can still be undone, until the name is saved.
        setNotice((now) => ({ ...now, text: "" }));
        setEditing({ key, action });
      }
    },
    /** @param value the new name or folder; of no meaning for a folder that is deleted */
    save: ({ file, folder }: Entry, edited: Editing, value: string): Promise<void> =>
      file ? saveFile(file, edited, value) : saveFolder(folder, edited, value),
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
