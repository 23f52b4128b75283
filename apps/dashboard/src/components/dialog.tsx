import { Modal, type ModalProps } from "@mantine/core";
import { common } from "./common-texts.js";
import { useReturnFocus } from "./return-focus.js";

/** A modal dialog. When it closes, the focus returns to the element that opened it, or to one nearby. */
export function Dialog(props: ModalProps) {
  useReturnFocus(props.opened);
  return <Modal closeButtonProps={{ "aria-label": common.close }} {...props} returnFocus={false} />;
}
