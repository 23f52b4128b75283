"use client";

import {
  type FocusEvent,
  type HTMLAttributes,
  memo,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { DetachedList } from "../core/store/store-cache.js";
import { addTotals } from "../core/store/totals.js";
import { isActive, type UploadItem } from "../core/upload-item.js";
import type { UploadLook } from "../upload-dropzone.js";
import { UploadAction } from "./action-button.js";
import { useAnnouncer } from "./announcer.js";
import { useFileRow } from "./file-row.js";
import { closeIcon, collapseIcon } from "./icons.js";
import { fileView, listView } from "./item-view.js";
import { type ActiveLabels, englishLabels, type UploadLabels } from "./labels.js";
import { createUniqueNames } from "./list.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import { useUploadScope } from "./provider.js";
import type { UploadMessages } from "./root.js";
import { ItemViewContext, type SharedView } from "./upload-context.js";
import { useRestoreFocus } from "./use-restore-focus.js";
import { visuallyHidden } from "./visually-hidden.js";

export interface UploadTrayProps extends HTMLAttributes<HTMLElement>, Pick<UploadLook, "theme"> {
  messages?: UploadMessages | undefined;
}

export const englishTrayLabels: Pick<UploadLabels, "tray" | "closeTray"> = {
  tray: "Uploads",
  closeTray: "Close",
};

/** Time from the last upload until the tray disappears, unless a file failed or the person is using the tray. */
const LINGER_MS = 6_000;
/** The further files are only counted. */
const MAX_ROWS = 50;

/**
 * A small panel for uploads whose component is not on the page, such as those of a page that the user has left. It appears
 * while files are on their way, and never takes the focus. Render it once, beside the pages of the app and inside of the
 * `Upload.Provider` if there is one. Needs `@stowage/react/styles.css`.
 *
 * @example <Upload.Provider user={userId}><Pages /><Upload.Tray /></Upload.Provider>
 */
export function UploadTray({ messages, theme, className = "", ...props }: UploadTrayProps) {
  const { lists, isBusy, close } = useTrayLists();
  const locale = messages?.locale ?? "en";
  const labels = useMemo(
    () => ({ ...englishLabels, ...englishTrayLabels, ...messages, locale }),
    [messages, locale],
  );
  const [isOpen, setOpen] = useState(true);
  const [isAttended, setAttended] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const focus = useTrayFocus(panel, setAttended);
  const bodyId = useId();
  const upload = mergeLists(lists);
  const { failed } = upload.totals;
  const isLingering = lists.length > 0 && !isBusy && failed === 0 && !isAttended;
  useEffect(() => {
    if (!isLingering) {
      return;
    }
    const timer = setTimeout(close, LINGER_MS);
    return () => clearTimeout(timer);
  }, [isLingering, close]);

  if (lists.length === 0) {
    return null;
  }
  // The rows have the commands of their own list.
  const shared = {
    labels,
    connection: upload.connection,
    cancel: ignore,
    retry: ignore,
    remove: ignore,
    discardUnfinished: ignore,
  };
  return (
    <section
      ref={panel}
      aria-label={labels.tray}
      data-theme={theme}
      data-state={isBusy ? "uploading" : "idle"}
      data-offline={upload.connection === "offline" ? "" : undefined}
      data-unreachable={upload.connection === "unreachable" ? "" : undefined}
      {...props}
      {...focus}
      className={`stowage stowage-tray ${className}`}
      onPointerEnter={() => setAttended(true)}
      onPointerLeave={() => setAttended(false)}
    >
      <ItemViewContext.Provider value={listView(upload, true, shared)}>
        <div className="stowage-tray-head">
          <UploadStatus className="stowage-tray-text" />
          <button
            type="button"
            className="stowage-action stowage-tray-toggle"
            aria-label={labels.list}
            title={labels.list}
            aria-expanded={isOpen}
            aria-controls={bodyId}
            onClick={() => setOpen(!isOpen)}
          >
            {collapseIcon}
          </button>
          {!isBusy && (
            <button
              type="button"
              className="stowage-action"
              aria-label={labels.closeTray}
              title={labels.closeTray}
              onClick={() => {
                focus.restore();
                close();
              }}
            >
              {closeIcon}
            </button>
          )}
          <UploadProgress className="stowage-progress stowage-total" />
        </div>
        <div id={bodyId} hidden={!isOpen} className="stowage-tray-body">
          {lists.map((list) => (
            <TrayList key={list.id} list={list} labels={labels} isOpen={isOpen} />
          ))}
          <div className="stowage-tray-actions">
            <UploadAction action="retryAll" className="stowage-link" />
            <UploadAction action="cancelAll" className="stowage-link" />
          </div>
        </div>
      </ItemViewContext.Provider>
    </section>
  );
}

const ignore = () => {};

/** The lists without a component that upload, or have uploaded since the tray appeared. */
function useTrayLists() {
  const { cache } = useUploadScope();
  const detached = useSyncExternalStore(cache.subscribe, cache.getDetached, cache.getDetached);
  const [shown, setShown] = useState<readonly number[]>([]);
  const lists = detached.filter(({ id, store }) => store.isRunning() || shown.includes(id));
  const ids = lists.map(({ id }) => id);
  if (String(ids) !== String(shown)) {
    setShown(ids);
  }
  const [close] = useState(() => () => setShown([]));
  return { lists, isBusy: lists.some(({ store }) => store.isRunning()), close };
}

function mergeLists(lists: readonly DetachedList[]) {
  const forAll = (act: (list: DetachedList) => void) => () => {
    for (const list of lists) {
      act(list);
    }
  };
  return {
    items: lists.flatMap(({ snapshot }) => snapshot.items),
    totals: addTotals(lists.map(({ snapshot }) => snapshot.totals)),
    connection:
      lists.find(({ snapshot }) => snapshot.connection !== "online")?.snapshot.connection ?? "online",
    start: forAll(({ store }) => store.start()),
    cancelAll: forAll(({ store }) => store.cancelAll()),
    retryAll: forAll(({ store }) => store.retryAll()),
    clear: forAll(({ store }) => store.clear()),
  };
}

interface TrayListProps {
  list: DetachedList;
  labels: ActiveLabels;
  isOpen: boolean;
}

/** The files of one list that are on their way or failed, and a live region for them. */
function TrayList({ list: { store, snapshot }, labels, isOpen }: TrayListProps) {
  const { items, connection } = snapshot;
  const { cancel, retry, remove, discardUnfinished } = store;
  const shared: SharedView = useMemo(
    () => ({ labels, connection, cancel, retry, remove, discardUnfinished }),
    [labels, connection, cancel, retry, remove, discardUnfinished],
  );
  const [region] = useAnnouncer(snapshot, labels);
  const [uniqueName] = useState(createUniqueNames);
  const rows = isOpen ? trayRows(items) : [];
  return (
    <>
      {rows.length > 0 && (
        <ul role="list" aria-label={labels.list} className="stowage-list">
          {rows.map((item) => (
            <TrayRow key={item.id} item={item} name={uniqueName(item)} shared={shared} />
          ))}
        </ul>
      )}
      <div ref={region} role="status" style={visuallyHidden} />
    </>
  );
}

/** Failed files and those that are being uploaded first, then the queue. */
function trayRows(items: readonly UploadItem[]): UploadItem[] {
  const isQueued = ({ status }: UploadItem) => status === "queued";
  const shown = items.filter((item) => isActive(item) || item.status === "failed");
  return [...shown.filter((item) => !isQueued(item)), ...shown.filter(isQueued)].slice(0, MAX_ROWS);
}

const TrayRow = /* @__PURE__ */ memo(function TrayRow({
  item,
  name,
  shared,
}: {
  item: UploadItem;
  name: string;
  shared: SharedView;
}) {
  // Without speed and time left, which the head has for all files: the rows are narrow.
  const view = fileView({ ...item, bytesPerSecond: null }, name, shared);
  return <ItemViewContext.Provider value={view}>{useFileRow(undefined)()}</ItemViewContext.Provider>;
});

/** Keeps the focus in the tray while its rows change, and gives it back when the person closes the tray. */
function useTrayFocus(panel: RefObject<HTMLElement | null>, setAttended: (isAttended: boolean) => void) {
  const { onFocus, onBlur } = useRestoreFocus(panel);
  const before = useRef<Element | null>(null);
  const isInside = (target: EventTarget | null) => panel.current?.contains(target as Node | null) ?? false;
  return {
    onFocus(event: FocusEvent<HTMLElement>) {
      if (!isInside(event.relatedTarget)) {
        before.current = event.relatedTarget;
      }
      setAttended(true);
      onFocus(event);
    },
    onBlur(event: FocusEvent<HTMLElement>) {
      setAttended(isInside(event.relatedTarget));
      onBlur();
    },
    restore() {
      if (before.current instanceof HTMLElement) {
        before.current.focus();
      }
    },
  };
}
