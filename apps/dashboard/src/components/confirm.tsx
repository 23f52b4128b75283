import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { common } from "../texts/common.js";
import { Refusal } from "./refusal.js";

/** Asks once more before something is done that cannot be undone. */
export function Confirm(props: {
  title: string;
  action: string;
  opened: boolean;
  isBusy: boolean;
  error: unknown;
  /** Says what did not happen, above why. */
  errorTitle?: string;
  onConfirm: () => void;
  onClose: () => void;
  /** What happens, plainly. */
  children: ReactNode;
}) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ "aria-label": common.close }}
    >
      <Stack>
        {props.children}
        <Refusal error={props.error} title={props.errorTitle} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {common.cancel}
          </Button>
          <Button color="red" loading={props.isBusy} onClick={props.onConfirm}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
