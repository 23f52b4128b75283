import type { ModalProps } from "@mantine/core";
import { lazy } from "react";
import { loadChunk } from "../load-chunk.js";
import { common } from "./common-texts.js";
import { MountOnOpen } from "./mount-on-open.js";
import { useReturnFocus } from "./return-focus.js";

// Lazy because many pages have dialogs, and what Mantine needs to show one is as large as such a page.
const Modal = lazy(async () => ({ default: (await loadChunk(() => import("./modal.js"))).Modal }));

/** A modal dialog. When it closes, the focus returns to the element that opened it, or to one nearby. */
export function Dialog(props: ModalProps) {
  useReturnFocus(props.opened);
  return (
    <MountOnOpen opened={props.opened}>
      <Modal closeButtonProps={{ "aria-label": common.close }} {...props} returnFocus={false} />
    </MountOnOpen>
  );
}
