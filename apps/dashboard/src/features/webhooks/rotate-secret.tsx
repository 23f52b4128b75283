import { Alert, Text } from "@mantine/core";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { Dialog } from "../../components/dialog.js";
import { modalStaysOpen, ShownOnce } from "../../components/shown-once.js";
import { useProjectRef } from "../../components/use-project.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import type { Endpoint } from "./endpoint-state.js";

/** Replaces the secret of an endpoint after a confirmation, and shows the new one once. */
export function RotateSecret(props: { endpoint: Endpoint; opened: boolean; onClose: () => void }) {
  const { endpoint, opened, onClose } = props;
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const rotate = trpc.webhooks.rotateSecret.useMutation({ gcTime: 0 });
  const close = () => {
    onClose();
    // The mutation is the only place that holds the secret.
    rotate.reset();
  };
  const finish = async () => {
    close();
    await utils.webhooks.list.invalidate();
  };
  if (rotate.data)
    return (
      <Dialog opened={opened} onClose={close} title={texts.secretTitle} {...modalStaysOpen}>
        <ShownOnce value={rotate.data.secret} texts={texts.newSecret} onSaved={() => void finish()} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={texts.rotateTitle}
      action={texts.rotateAction}
      opened={opened}
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ projectRef, endpointRef: endpoint.ref })}
      onClose={close}
    >
      <Text size="sm">{texts.rotateHint}</Text>
      {endpoint.previousSecretEndsAt !== null && <Alert color="yellow">{texts.rotateAgainWarning}</Alert>}
    </ConfirmDialog>
  );
}
