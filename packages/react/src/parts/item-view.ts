import { listView } from "@stowage/client/internals/list";
import type { UploadItem } from "@stowage/client";
import { useContext, useMemo } from "react";
import { ItemViewContext, type PlacedView, required, RootViewContext } from "./upload-context.js";

/**
 * The view of the row that contains the part, and elsewhere of the whole list.
 *
 * @throws {Error} outside of an `Upload.Root`
 */
export function useItemView(): PlacedView {
  const row = useContext(ItemViewContext);
  const root = useContext(RootViewContext);
  const view = useMemo(
    () => row ?? (root && listView(root.upload, root.autoStart, root.shared)),
    [row, root],
  );
  return required(view, "Upload.Root");
}

/**
 * The view of the file whose row contains the part.
 *
 * @throws {Error} outside of an `Upload.List`
 */
export function useFileView(): PlacedView & { item: UploadItem } {
  const view = useItemView();
  return { ...view, item: required(view.item, "Upload.List") };
}
