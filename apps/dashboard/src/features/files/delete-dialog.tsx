import { Alert, List, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Confirm } from "../../components/confirm.js";
import type { ListedFile } from "../../components/files/file-name.js";
import { totalBytes } from "../../components/files/file-size.js";
import { GivenText } from "../../components/given-text.js";
import { files as texts } from "../../texts/files.js";
import { trpc } from "../../trpc.js";

/** As many names as are read before the button is pressed. */
const NAMED = 5;

type Doomed = Pick<ListedFile, "id" | "filename" | "sizeBytes" | "declaredSizeBytes">;

/** Deletes files once somebody has read how many, how large, and that there is no way back. */
export function DeleteDialog(props: {
  projectRef: string;
  files: Doomed[];
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
        notifications.show({ message: texts.goneBefore(notFound.length), color: "yellow" });
      onDeleted();
      // Lists, tenants' counters and the overview: all of them have other figures now.
      void utils.invalidate();
    },
  });
  const close = () => {
    if (remove.isPending) return;
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      title={texts.deleteTitle(files.length)}
      action={texts.deleteMany(files.length)}
      opened={opened}
      isBusy={remove.isPending}
      error={remove.error}
      errorTitle={texts.deleteFailed}
      onConfirm={() => remove.mutate({ projectRef, fileIds: files.map(({ id }) => id) })}
      onClose={close}
    >
      <List size="sm" withPadding>
        {files.slice(0, NAMED).map(({ id, filename }) => (
          <List.Item key={id}>
            <GivenText text={filename} />
          </List.Item>
        ))}
      </List>
      {files.length > NAMED && (
        <Text size="sm" c="dimmed">
          {texts.andMore(files.length - NAMED)}
        </Text>
      )}
      <Alert color="red" icon={<IconAlertTriangle />}>
        {texts.deleteWarning(files.length, totalBytes(files))}
      </Alert>
    </Confirm>
  );
}
