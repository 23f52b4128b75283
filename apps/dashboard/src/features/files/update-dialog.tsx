import { Button, Group, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useState } from "react";
import { common } from "../../components/common-texts.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/errors.js";
import { type Outputs, trpc } from "../../trpc.js";
import { updateFile as texts } from "./update-file-texts.js";

interface Props {
  projectRef: string;
  file: Outputs["files"]["read"];
  opened: boolean;
  onClose: () => void;
}

/** Renames a file, or moves it to another folder. */
export function UpdateDialog({ opened, onClose, ...props }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {/* A modal unmounts its content when it closes, so each opening starts with the saved values. */}
      <UpdateForm {...props} onClose={onClose} />
    </Dialog>
  );
}

function UpdateForm({ projectRef, file, onClose }: Omit<Props, "opened">) {
  const [filename, setFilename] = useState(file.filename);
  const [folder, setFolder] = useState(file.folder);
  const utils = trpc.useUtils();
  const update = trpc.files.update.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.updated });
      onClose();
      await utils.files.invalidate();
    },
  });
  const isChanged = filename !== file.filename || folder !== file.folder;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged || update.isPending) return;
    update.mutate({
      projectRef,
      fileId: file.id,
      ...(filename !== file.filename && { filename }),
      ...(folder !== file.folder && { folder }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.filename}
          value={filename}
          onChange={(event) => setFilename(event.currentTarget.value)}
          required
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label={texts.folder}
          description={texts.folderHint}
          value={folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
          autoComplete="off"
        />
        <FormError error={update.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" disabled={!isChanged} loading={update.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
