import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import type { ListedFile } from "../../components/files/listed-file.js";
import { discard } from "./discard-texts.js";
import { files as texts } from "../../components/files/files-texts.js";
import { trpc } from "../../trpc.js";
import { NameList } from "./name-list.js";

/** Discards uploads that are not stored, after a confirmation that says how many there are and how much quota they hold. */
export function DiscardDialog(props: {
  projectRef: string;
  uploads: Pick<ListedFile, "id" | "filename" | "reservedBytes" | "parts">[];
  opened: boolean;
  onClose: () => void;
  onDiscarded: () => void;
}) {
  const { projectRef, uploads, opened, onClose, onDiscarded } = props;
  const utils = trpc.useUtils();
  const call = trpc.files.discardUploads.useMutation({
    onSuccess: ({ discarded, stored, notFound, failed }) => {
      if (discarded.length > 0) notifications.show({ message: discard.discarded(discarded.length) });
      if (stored.length > 0)
        notifications.show({ message: discard.keptStored(stored.length), color: "yellow" });
      if (notFound.length > 0)
        notifications.show({ message: discard.alreadyEnded(notFound.length), color: "yellow" });
      if (failed.length > 0) notifications.show({ message: discard.incomplete(failed.length), color: "red" });
      onDiscarded();
      // Discarding uploads changes lists, tenants' usage and the overview.
      void utils.invalidate();
    },
  });
  const close = () => {
    if (call.isPending) return;
    call.reset();
    onClose();
  };
  const reservedBytes = uploads.reduce((sum, upload) => sum + upload.reservedBytes, 0);
  const partBytes = uploads.reduce((sum, { parts }) => sum + (parts?.storedBytes ?? 0), 0);
  return (
    <ConfirmDialog
      title={discard.title(uploads.length)}
      action={texts.discardMany(uploads.length)}
      opened={opened}
      isBusy={call.isPending}
      error={call.error}
      errorTitle={discard.failed}
      onConfirm={() => call.mutate({ projectRef, fileIds: uploads.map(({ id }) => id) })}
      onClose={close}
    >
      <NameList files={uploads} />
      <Text size="sm">{discard.warning(uploads.length, { reservedBytes, partBytes })}</Text>
    </ConfirmDialog>
  );
}
