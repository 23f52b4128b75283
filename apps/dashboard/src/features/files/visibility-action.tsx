import { Alert, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconEyeOff, IconWorld } from "@tabler/icons-react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { filePage as texts } from "./file-page-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { NameList } from "./name-list.js";

/** A button that makes a file public or private after a confirmation. Nothing, for a file that can be neither. */
export function VisibilityAction({
  projectRef,
  file,
}: {
  projectRef: string;
  file: Outputs["files"]["read"];
}) {
  const utils = trpc.useUtils();
  const [isOpen, dialog] = useDisclosure(false);
  const isPublic = file.visibility === "public";
  const set = trpc.files.setVisibility.useMutation({
    onSuccess: (_, { visibility }) => {
      notifications.show({ message: visibility === "public" ? texts.madePublic : texts.madePrivate });
      dialog.close();
    },
    // Also after an error: a file that could not be taken back yet is on its way.
    onSettled: () => void utils.files.invalidate(),
  });
  if (file.status === "trashed" || (!isPublic && !file.canBePublic)) return null;
  const close = () => {
    if (set.isPending) return;
    set.reset();
    dialog.close();
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={isPublic ? <IconEyeOff size={16} /> : <IconWorld size={16} />}
        onClick={dialog.open}
      >
        {isPublic ? texts.makePrivate : texts.makePublic}
      </Button>
      <ConfirmDialog
        title={isPublic ? texts.makePrivateTitle : texts.makePublicTitle}
        action={isPublic ? texts.makePrivate : texts.makePublic}
        opened={isOpen}
        isBusy={set.isPending}
        error={set.error}
        onConfirm={() =>
          set.mutate({ projectRef, fileId: file.id, visibility: isPublic ? "private" : "public" })
        }
        onClose={close}
      >
        <NameList files={[file]} />
        <Alert color={isPublic ? "blue" : "yellow"} icon={<IconAlertTriangle />}>
          {isPublic ? texts.makePrivateHint : texts.makePublicHint}
        </Alert>
      </ConfirmDialog>
    </>
  );
}
