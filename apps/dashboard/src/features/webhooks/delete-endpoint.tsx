import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { useProjectRef } from "../../components/use-project.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import type { Endpoint } from "./endpoint-state.js";

/** Deletes an endpoint after a confirmation, and opens the list of the others. */
export function DeleteEndpoint(props: { endpoint: Endpoint; opened: boolean; onClose: () => void }) {
  const { endpoint, opened, onClose } = props;
  const projectRef = useProjectRef();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = trpc.webhooks.delete.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.deleted });
      await navigate({ to: "/projects/$projectRef/webhooks", params: { projectRef } });
      await utils.webhooks.list.invalidate();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      action={texts.delete}
      opened={opened}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ projectRef, endpointRef: endpoint.ref })}
      onClose={close}
    >
      <Text size="sm" translate="no" style={{ overflowWrap: "anywhere" }}>
        {endpoint.url}
      </Text>
      <Text size="sm">{texts.deleteHint}</Text>
    </ConfirmDialog>
  );
}
