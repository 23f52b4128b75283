import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy } from "react";
import { Section } from "../../components/section.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { settings as texts } from "../../texts/settings.js";
import { type Outputs, trpc } from "../../trpc.js";
import { loadChunk } from "../../load-chunk.js";

const ConfirmByNameDialog = lazy(async () => ({
  default: (await loadChunk(() => import("../../components/confirm-by-name-dialog.js"))).ConfirmByNameDialog,
}));

/** Deletes the project after its name was typed. */
export function DeleteProject({ project }: { project: Outputs["projects"]["read"] }) {
  const { ref: projectRef, name } = project;
  const [isOpen, dialog] = useDisclosure();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = trpc.projects.delete.useMutation({
    onSuccess: async () => {
      dialog.close();
      await navigate({ to: "/", replace: true, ignoreBlocker: true });
      notifications.show({ message: texts.deleted(name) });
      await utils.projects.list.invalidate();
    },
  });
  const close = () => {
    dialog.close();
    remove.reset();
  };
  return (
    <Section isForm title={texts.deleteSection} hint={texts.deleteHint}>
      <Button
        color="red"
        variant="outline"
        leftSection={<IconTrash size={16} />}
        style={{ alignSelf: "flex-start" }}
        onClick={dialog.open}
      >
        {texts.delete}
      </Button>
      <MountOnOpen opened={isOpen}>
        <ConfirmByNameDialog
          title={texts.deleteTitle}
          warning={texts.deleteWarning(name)}
          name={name}
          action={texts.deleteAction}
          opened={isOpen}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={(typed) => remove.mutate({ projectRef, name: typed })}
          onClose={close}
        />
      </MountOnOpen>
    </Section>
  );
}
