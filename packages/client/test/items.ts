import { createFileState, itemIn } from "../src/store/file-state.js";
import type { UploadItem, UploadState } from "../src/upload-item.js";
import { aFile } from "./runtime.js";

/** An item as the store would show it. */
export function anItemIn(
  state: UploadState,
  { id = "1", file = aFile(), sentBytes = 0 }: { id?: string; file?: File; sentBytes?: number } = {},
): UploadItem {
  return itemIn(state, createFileState(id, file), { sentBytes });
}
