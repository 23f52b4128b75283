import { Alert } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import type { ListedFile } from "../../components/files/file-name.js";
import { totalBytes } from "../../components/files/file-size.js";
import { files as texts } from "../../texts/files.js";
import { trpc } from "../../trpc.js";
import { NameList } from "./name-list.js";

type FileToDelete = Pick<ListedFile, "id" | "filename" | "sizeBytes" | "declaredSizeBytes">;

/** Deletes files after a confirmation that says how many there are and how large they are. */
export function DeleteDialog(props: {
  projectRef: string;
  files: FileToDelete[];
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { projectRef, files, opened, onClose, onDeleted } = props;
  const utils = trpc.useUtils();
  const remove = trpc.files.delete.useMutation({
    onSuccess: ({ deleted, notFound }) => {
      if (deleted.length > 0) notifications.show({ message: texts.deleted(deleted.length) });
      if (notFound.length > 0)
        notifications.show({ message: texts.alreadyDeleted(notFound.length), color: "yellow" });
      onDeleted();
      // Deleting files changes lists, tenants' usage and the overview.
      void utils.invalidate();
    },
  });
  const close = () => {
    if (remove.isPending) return;
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle(files.length)}
      action={texts.deleteMany(files.length)}
      opened={opened}
      isBusy={remove.isPending}
      error={remove.error}
      errorTitle={texts.deleteFailed}
      onConfirm={() => remove.mutate({ projectRef, fileIds: files.map(({ id }) => id) })}
      onClose={close}
    >
      <NameList files={files} />
      <Alert color="red" icon={<IconAlertTriangle />}>
        {texts.deleteWarning(files.length, totalBytes(files))}
      </Alert>
    </ConfirmDialog>
  );
}
