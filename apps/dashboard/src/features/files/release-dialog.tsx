import { Alert } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { quarantine as texts } from "./quarantine-texts.js";
import { trpc } from "../../trpc.js";
import { NameList } from "./name-list.js";

/** Releases the bytes that the page shows from quarantine after a confirmation. */
export function ReleaseDialog(props: {
  projectRef: string;
  file: { id: number; filename: string; etag: string | null };
  opened: boolean;
  onClose: () => void;
}) {
  const { projectRef, file, opened, onClose } = props;
  const utils = trpc.useUtils();
  const release = trpc.quarantine.release.useMutation({
    onSuccess: () => {
      notifications.show({ message: texts.released });
      onClose();
    },
    // Also after an error: the likely cause is that the file has changed since the page was loaded.
    onSettled: () => {
      void utils.quarantine.invalidate();
      void utils.files.invalidate();
    },
  });
  const close = () => {
    if (release.isPending) return;
    release.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.releaseTitle}
      action={texts.release}
      opened={opened}
      isBusy={release.isPending}
      error={release.error}
      onConfirm={() => release.mutate({ projectRef, fileId: file.id, etag: file.etag ?? "" })}
      onClose={close}
    >
      <NameList files={[file]} />
      <Alert color="red" icon={<IconAlertTriangle />}>
        {texts.releaseWarning}
      </Alert>
    </ConfirmDialog>
  );
}
