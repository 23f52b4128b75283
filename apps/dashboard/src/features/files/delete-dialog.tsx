import { Alert, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import type { ListedFile } from "../../components/files/listed-file.js";
import { totalBytes } from "../../components/files/file-size.js";
import { useProject } from "../../components/use-project.js";
import { files as texts } from "../../components/files/files-texts.js";
import { trash } from "./trash-texts.js";
import { trpc } from "../../trpc.js";
import { NameList } from "./name-list.js";

type FileToDelete = Pick<ListedFile, "id" | "status" | "filename" | "sizeBytes" | "declaredSizeBytes">;

/**
 * Deletes files after a confirmation that says how many there are and how large they are: into the trash if the project has one, and
 * for good if it has none or if the files are in it.
 */
export function DeleteDialog(props: {
  projectRef: string;
  files: FileToDelete[];
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const { projectRef, files, opened, onClose, onDeleted } = props;
  const utils = trpc.useUtils();
  const { data: project } = useProject();
  const trashDays = project?.trashDays ?? 0;
  const areTrashed = files.length > 0 && files.every(({ status }) => status === "trashed");
  const isPurge = areTrashed || trashDays === 0;
  const count = files.length;
  const remove = trpc.files.delete.useMutation({
    onSuccess: ({ deleted, notFound, onHold }) => {
      if (deleted.length > 0)
        notifications.show({ message: (isPurge ? texts.deleted : trash.trashed)(deleted.length) });
      if (onHold.length > 0)
        notifications.show({ message: trash.keptOnHold(onHold.length), color: "yellow" });
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
      title={
        areTrashed ? trash.purgeTitle(count) : isPurge ? texts.deleteTitle(count) : trash.trashTitle(count)
      }
      action={
        areTrashed ? texts.purgeMany(count) : isPurge ? texts.deleteMany(count) : trash.trashMany(count)
      }
      opened={opened}
      isBusy={remove.isPending}
      error={remove.error}
      errorTitle={texts.deleteFailed}
      onConfirm={() => remove.mutate({ projectRef, fileIds: files.map(({ id }) => id), purge: areTrashed })}
      onClose={close}
    >
      <NameList files={files} />
      {isPurge ? (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {texts.deleteWarning(count, totalBytes(files))}
        </Alert>
      ) : (
        <Text size="sm">{trash.trashHint(count, trashDays)}</Text>
      )}
    </ConfirmDialog>
  );
}
