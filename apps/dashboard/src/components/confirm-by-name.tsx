import { Alert, Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { common } from "../texts/common.js";
import { sentenceOf } from "./failure.js";

/** Asks for a name to be typed before something is done that cannot be undone. */
export function ConfirmByName(props: {
  title: string;
  /** What happens, plainly. */
  warning: ReactNode;
  name: string;
  action: string;
  opened: boolean;
  isBusy: boolean;
  error: unknown;
  onConfirm: (typed: string) => void;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ "aria-label": common.close }}
    >
      {/* Mounted anew each time, so that a name typed before is not there. */}
      <Form {...props} />
    </Modal>
  );
}

function Form(props: Parameters<typeof ConfirmByName>[0]) {
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === props.name && !props.isBusy) props.onConfirm(typed);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Alert color="red" icon={<IconAlertTriangle />}>
          {props.warning}
        </Alert>
        <TextInput
          label={common.typeToConfirm(props.name)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={props.error ? sentenceOf(props.error) : undefined}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={typed !== props.name} loading={props.isBusy}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
