import { isActive, type UploadItem } from "@stowage/client";
import type { ActiveLabels, DetachedList, SharedView } from "@stowage/client/internals";
import { fileView } from "@stowage/client/internals/list";
import { memo, useMemo } from "react";
import { useFileRow } from "./file-row.js";
import { ResumableUploads } from "./resumable.js";
import { ItemViewContext } from "./upload-context.js";
import { useAnnouncer } from "./use-announcer.js";
import { useUniqueNames } from "./use-unique-names.js";
import { visuallyHidden } from "./visually-hidden.js";

/** The further files are only counted. */
const MAX_ROWS = 50;

interface TrayListProps {
  list: DetachedList;
  labels: ActiveLabels;
  isOpen: boolean;
}

/** The files of one list that are on their way or failed, and a live region for them. */
export function TrayList({ list: { store, snapshot }, labels, isOpen }: TrayListProps) {
  const { items, connection } = snapshot;
  const { cancel, pause, resume, retry, remove, discardUnfinished, continueUpload, discardResumable } = store;
  const { resumable, lost } = snapshot;
  const shared: SharedView = useMemo(
    () => ({ labels, connection, cancel, pause, resume, retry, remove, discardUnfinished }),
    [labels, connection, cancel, pause, resume, retry, remove, discardUnfinished],
  );
  const [region, announce] = useAnnouncer(snapshot, labels);
  const rows = isOpen ? trayRows(items) : [];
  const uniqueName = useUniqueNames(rows);
  return (
    <>
      {isOpen && (
        <ResumableUploads
          className="stowage-list"
          upload={{ resumable, lost, continueUpload, discardResumable }}
          labels={labels}
          announce={announce}
        />
      )}
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

/** Failed and active files first, then the queue. */
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
  // Without speed and time left, because the rows are narrow. The head shows both for all files.
  const view = fileView({ ...item, bytesPerSecond: null }, name, shared);
  return <ItemViewContext.Provider value={view}>{useFileRow(undefined)()}</ItemViewContext.Provider>;
});
