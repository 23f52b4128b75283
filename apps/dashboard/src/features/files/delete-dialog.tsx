import { Alert, Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { sentenceOf } from "../../components/failure.js";
import type { ListedFile } from "../../components/files/file-name.js";
import { totalBytes } from "../../components/files/file-size.js";
import { GivenText } from "../../components/given-text.js";
import { common } from "../../texts/common.js";
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
    <Modal
      opened={opened}
      onClose={close}
      title={texts.deleteTitle(files.length)}
      closeButtonProps={{ "aria-label": common.close }}
    >
      <Stack>
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
        {remove.error && (
          <Alert color="red" role="alert" title={texts.deleteFailed}>
            {sentenceOf(remove.error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {common.cancel}
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ projectRef, fileIds: files.map(({ id }) => id) })}
          >
            {texts.deleteMany(files.length)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
