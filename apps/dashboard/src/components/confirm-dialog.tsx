import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { common } from "./common-texts.js";
import { FormError } from "./errors.js";
import { Dialog } from "./dialog.js";

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog(props: {
  title: string;
  action: string;
  /** @default "Cancel" */
  cancel?: string;
  opened: boolean;
  isBusy: boolean;
  error: unknown;
  /** Shown above the error message. */
  errorTitle?: string;
  onConfirm: () => void;
  onClose: () => void;
  /** Says what the action does. */
  children: ReactNode;
}) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title}>
      <Stack>
        {props.children}
        <FormError error={props.error} title={props.errorTitle} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            {props.cancel ?? common.cancel}
          </Button>
          <Button color="red" loading={props.isBusy} onClick={props.onConfirm}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
