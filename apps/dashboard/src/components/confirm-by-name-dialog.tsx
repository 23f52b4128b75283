import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { common } from "./common-texts.js";
import { errorMessage } from "./errors.js";
import { Dialog } from "./dialog.js";
import { UntrustedText } from "./untrusted-text.js";

/** Asks the operator to type a name to confirm an action that cannot be undone. */
export function ConfirmByNameDialog(props: {
  title: string;
  /** Says what the action does. */
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
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title}>
      {/* A modal unmounts its content when it closes, so each opening starts with an empty field. */}
      <Form {...props} />
    </Dialog>
  );
}

function Form(props: Parameters<typeof ConfirmByNameDialog>[0]) {
  const [typed, setTyped] = useState("");
  const [before, after] = common.typeToConfirm;
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
          label={
            <>
              {`${before} `}
              <UntrustedText text={props.name} />
              {` ${after}`}
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={props.error ? errorMessage(props.error) : undefined}
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
