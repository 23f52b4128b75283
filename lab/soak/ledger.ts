/** Where a file can be. `open`: its bytes are not in storage. */
export type State = "open" | "stored" | "trashed" | "gone";
/** A file, and those that it replaced, directly or through others. */
export interface Chain {
  /** The file that is none of the versions. */
  file: SoakFile;
  /** The last one that was replaced first. */
  versions: SoakFile[];
  /** Whether each answer arrived, so that `file` and `versions` are known. */
  isSure: boolean;
}

/** A call that changes a file. `send` is the PUT of its bytes. */
export type Change = "send" | "complete" | "delete" | "purge" | "restore" | "cancel";

/** A file that the load requested, and everything that the service acknowledged about it. */
export interface SoakFile {
  path: string;
  project: number;
  tenant: string;
  sizeBytes: number;
  /** See contents.ts. */
  kind: "fill" | "picture" | "virus";
  /** The value of all its bytes, or which picture it is. */
  fill: number;
  /** Every state that the answers allow. More than one if an answer did not arrive. */
  states: Set<State>;
  /** When the service may end it by itself, in milliseconds since 1970; the difference of the clocks is in it. Null: never. */
  ends: { from: number; to: number } | null;
  /** Until then an unanswered call may still change it. */
  unsureUntil: number;
  isByParts: boolean;
  /** Whether the service has said that it has the file. Before, only storage has acknowledged the bytes. */
  isRecorded: boolean;
  /** Its URLs have ended before the file: then an upload without bytes stays after the end of the file too. */
  isExpired: boolean;
  isBusy: boolean;
  /** Every folder that the answers allow. */
  folders: Set<string>;
  /** Every value of its metadata that the answers allow. */
  notes: Set<string>;
  /** The file and its versions. Null: it has replaced nothing. */
  chain: Chain | null;
  /** An upload without an answer may replace it at any time. */
  mayBeReplaced: boolean;
  /** An upload that may wait for its bytes is to replace it, so another one may be refused. */
  mayBeClaimed: boolean;
  tried: Partial<Record<Change | "update", number>>;
  done: Partial<Record<Change | "update", number>>;
}

/** A change leads from each of these states to another one. From the others it is refused. */
const changes: Record<Change, (hasTrash: boolean) => Partial<Record<State, State>>> = {
  send: () => ({ open: "stored", stored: "stored" }),
  complete: () => ({ open: "stored", stored: "stored" }),
  delete: (hasTrash) => ({ open: "gone", stored: hasTrash ? "trashed" : "gone" }),
  purge: () => ({ open: "gone", stored: "gone", trashed: "gone" }),
  restore: () => ({ trashed: "stored" }),
  // It is safe to repeat, so it succeeds again after the file is gone.
  cancel: () => ({ open: "gone", gone: "gone" }),
};

/** What became of a change: the service acknowledged it, refused it as impossible in this state, or the load does not know. */
export type Result = "done" | "refused" | "unknown";

/** Longer than the service works on any call. */
const UNSURE_MS = 60_000;

/**
 * Writes down the answer to a change.
 *
 * @returns why the answer contradicts an earlier one; null if it does not
 */
export function record(
  file: SoakFile,
  change: Change,
  result: Result,
  { hasTrash, now }: { hasTrash: boolean; now: number },
): string | null {
  file.tried[change] = (file.tried[change] ?? 0) + 1;
  const leadsTo = changes[change](hasTrash);
  const before = statesAt(file, now, hasTrash);
  if (result === "unknown") {
    for (const state of before) file.states.add(leadsTo[state] ?? state);
    file.unsureUntil = now + UNSURE_MS;
    return null;
  }
  const fits = (state: State) =>
    result === "done"
      ? leadsTo[state] !== undefined
      : leadsTo[state] === undefined || mayRefuse(change, state);
  const fitting = [...before].filter(fits);
  if (fitting.length === 0)
    return `${change} ${result}, but it was ${[...before].join(" or ")}: ${file.path}`;
  file.states = new Set(fitting.map((state) => (result === "done" ? leadsTo[state]! : state)));
  // While storage is down, the service deletes a file that it has not recorded for good.
  if (result === "done" && change === "delete" && !file.isRecorded) file.states.add("gone");
  // An upload whose URLs have ended keeps its row when it is cancelled.
  if (result === "done" && change === "cancel" && file.isExpired && before.has("open"))
    file.states.add("open");
  if (result === "done") file.done[change] = (file.done[change] ?? 0) + 1;
  if (result === "done" && (change === "complete" || change === "restore")) file.isRecorded = true;
  // A file whose end has passed in the trash has no end any more. Near the end, the load cannot know.
  if (change === "restore" && file.ends && now >= file.ends.from) file.ends.to = Infinity;
  return null;
}

/** Whether bytes have arrived is not known before storage has acknowledged them. */
const mayRefuse = (change: Change, state: State) => change === "complete" && state === "open";

/** Writes down that the file was seen in a state. @returns why it cannot be there; null if it can */
export function observe(
  file: SoakFile,
  seen: State,
  { hasTrash, now }: { hasTrash: boolean; now: number },
): string | null {
  const possible = statesAt(file, now, hasTrash);
  if (!possible.has(seen)) return `${seen}, but it should be ${[...possible].join(" or ")}: ${file.path}`;
  file.states = new Set([seen]);
  if (seen === "stored" || seen === "trashed") file.isRecorded = true;
  return null;
}

/** The states that are possible now, with those after the end that the service may have made by itself. */
export function statesAt(file: SoakFile, now: number, hasTrash: boolean): Set<State> {
  const { ends, states } = file;
  if (!ends || now < ends.from) return new Set(states);
  const ended = [...states].map((state): State =>
    state === "stored" && hasTrash ? "trashed" : state === "trashed" ? "trashed" : "gone",
  );
  if (file.isExpired && states.has("open")) ended.push("open");
  return new Set(now > ends.to ? ended : [...states, ...ended]);
}

/** Writes down the answer to an update of a file that is stored. @returns why it cannot be refused; null if it was not */
export function recordUpdate(
  file: SoakFile,
  { folder, note }: { folder?: string; note: string },
  result: Result,
  now: number,
): string | null {
  file.tried.update = (file.tried.update ?? 0) + 1;
  if (result === "refused") return `update refused, but it was stored: ${file.path}`;
  const isDone = result === "done";
  if (isDone) file.done.update = (file.done.update ?? 0) + 1;
  else file.unsureUntil = now + UNSURE_MS;
  file.notes = new Set([note, ...(isDone ? [] : file.notes)]);
  if (folder !== undefined) file.folders = new Set([folder, ...(isDone ? [] : file.folders)]);
  return null;
}

/** Writes down a job that has moved the folder, or may have. */
export function recordMove(
  file: SoakFile,
  { from, to }: { from: string; to: string },
  { isDone, now }: { isDone: boolean; now: number },
): void {
  const isSure = isDone && file.unsureUntil < now;
  const before = [...file.folders];
  const after = before.map((folder) =>
    `${folder}/`.startsWith(`${from}/`) ? to + folder.slice(from.length) : folder,
  );
  file.folders = new Set(isSure ? after : [...before, ...after]);
  file.tried.update = (file.tried.update ?? 0) + 1;
  // No event tells of a file in the trash.
  const isTold = isSure && before.length === 1 && file.states.size === 1 && file.states.has("stored");
  if (isTold && !file.ends && !file.mayBeReplaced) file.done.update = (file.done.update ?? 0) + 1;
}

/** @returns what of the row no answer allows; null if it is right */
export function checkPlace(file: SoakFile, row: { folder: string; note: string | null }): string | null {
  const isRight = file.folders.has(row.folder) && file.notes.has(row.note ?? "");
  if (isRight) return null;
  const expected = `${[...file.folders].join(" or ")} with ${[...file.notes].join(" or ")}`;
  return `in ${row.folder} with ${row.note}, but it should be in ${expected}: ${file.path}`;
}
