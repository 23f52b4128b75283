import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { useProjectRef } from "../../components/use-project.js";
import { images as texts } from "../../components/images-texts.js";
import { trpc } from "../../trpc.js";

/** Deletes a preset after a confirmation. */
export function DeletePreset(props: { name: string; opened: boolean; onClose: () => void }) {
  const { name, opened, onClose } = props;
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const remove = trpc.presets.delete.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.deleted });
      onClose();
      await utils.presets.list.invalidate();
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
