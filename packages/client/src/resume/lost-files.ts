import type { Runtime } from "../runtime.js";
import type { FileCollection } from "../store/file-collection.js";

/*
 * The files that a page loses when it is reloaded or discarded by the system: those that are not sent by parts. The service does not
 * know which of its open uploads this tab had, so the tab keeps their names in `sessionStorage`. The next page shows them to the same user only.
 */

/** A file that was not uploaded. */
export interface LostFile {
  name: string;
  /** Where its upload had started. */
  path?: string | undefined;
}

interface LostList {
  /** A text that no other list has. */
  list: string;
  scope: string;
  files: LostFile[];
}

/** `resume-marker.ts` looks for it. */
const NAME = "stowage-uploads";
/** A sentence has no room for more. */
const MAX_FILES = 20;
const SAVE_MS = 1_000;
/** What these remember is not lost yet. */
const listsOfThisPage = new Set<string>();

/** Remembers the files of a list while they are uploaded. */
export function createLostFiles(
  { soon }: Pick<Runtime, "soon">,
  {
    list,
    files,
    scope,
    canContinue,
  }: {
    list: string;
    files: Pick<FileCollection, "running" | "counts">;
    scope(): string;
    canContinue(): boolean;
  },
) {
  let isPlanned = false;
  let saved = "";
  listsOfThisPage.add(list);

  function save() {
    isPlanned = false;
    const lost = files
      .running()
      .filter(({ resume }) => !(resume.multipart && canContinue()))
      .slice(0, MAX_FILES)
      .map(({ item, resume }) => ({ name: item.name, path: resume.triedPath }));
    const text = JSON.stringify(lost);
    if (text === saved || (saved === "" && lost.length === 0)) return;
    saved = text;
    const others = readLists().filter((other) => other.list !== list);
    writeLists(lost.length > 0 ? [...others, { list, scope: scope(), files: lost }] : others);
  }

  return {
    save,
    /** Call this when files have started, have ended or were removed. */
    saveSoon() {
      // The page may close before the planned save, and `pagehide` saves only while files run.
      if (files.counts().active === 0 && saved.length > "[]".length) save();
      if (!isPlanned) soon(save, SAVE_MS);
      isPlanned = true;
    },
  };
}

/**
 * Reads and forgets what other pages of this tab have lost. A tab that was duplicated has the memory of a page that is still running.
 *
 * @param endUpload returns `unknown` for an upload of another user, who the page may have now
 * @returns the names
 */
export async function takeLostFiles(
  runtime: Pick<Runtime, "markedPaths">,
  scope: string,
  endUpload: (path: string) => Promise<"ended" | "stored" | "unknown">,
): Promise<string[]> {
  const running = new Set(await runtime.markedPaths());
  const isRunning = ({ list, files }: LostList) =>
    listsOfThisPage.has(list) || files.some(({ path = "" }) => running.has(path));
  const found = readLists().filter((list) => list.scope === scope && !isRunning(list));
  const names = await Promise.all(found.map(({ files }) => namesOf(files, endUpload)));
  const ended = new Set(found.map(({ list }) => list));
  writeLists(readLists().filter(({ list }) => !ended.has(list)));
  return names.flat();
}

async function namesOf(
  files: readonly LostFile[],
  endUpload: (path: string) => Promise<"ended" | "stored" | "unknown">,
): Promise<string[]> {
  const ends = await Promise.all(
    files.map(async ({ path }) => (path === undefined ? null : await endUpload(path))),
  );
  const isSameUser = ends.some((end) => end === "ended" || end === "stored");
  return isSameUser ? files.filter((_, index) => ends[index] !== "stored").map(({ name }) => name) : [];
}

function readLists(): LostList[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as LostList[];
  } catch {
    // No browser, or one that allows this page no storage.
    return [];
  }
}

function writeLists(lists: readonly LostList[]) {
  try {
    if (lists.length > 0) sessionStorage.setItem(NAME, JSON.stringify(lists));
    else sessionStorage.removeItem(NAME);
  } catch {
    // The same, or the storage is full.
  }
}
