import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ConfirmDialog } from "../../../components/confirm-dialog.js";
import { trpc } from "../../../trpc.js";
import { plans as texts } from "./plans-texts.js";

/** Deletes a plan after a confirmation. */
export function DeletePlan(props: {
  projectRef: string;
  name: string;
  opened: boolean;
  onClose: () => void;
}) {
  const { projectRef, name, opened, onClose } = props;
  const utils = trpc.useUtils();
  const remove = trpc.plans.delete.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.deleted });
      onClose();
      await utils.plans.invalidate();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle(name)}
      action={texts.delete}
      opened={opened}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ projectRef, name })}
      onClose={close}
    >
      <Text size="sm">{texts.deleteHint}</Text>
    </ConfirmDialog>
  );
}
