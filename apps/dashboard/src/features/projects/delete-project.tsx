import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { lazy } from "react";
import { Section } from "../../components/section.js";
import { WhenOpened } from "../../components/when-opened.js";
import { settings as texts } from "../../texts/settings.js";
import { type Outputs, trpc } from "../../trpc.js";

const ConfirmByName = lazy(async () => ({
  default: (await import("../../components/confirm-by-name.js")).ConfirmByName,
}));

/** The end of a project, for whoever types its name. */
export function DeleteProject({ project }: { project: Outputs["projects"]["read"] }) {
  const { ref: projectRef, name } = project;
  const [isAsked, asking] = useDisclosure();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = trpc.projects.delete.useMutation({
    onSuccess: async () => {
      asking.close();
      await navigate({ to: "/", replace: true });
      notifications.show({ message: texts.deleted(name) });
      await utils.projects.list.invalidate();
    },
  });
  const close = () => {
    asking.close();
    remove.reset();
  };
  return (
    <Section isForm title={texts.danger} hint={texts.dangerHint}>
      <Button
        color="red"
        variant="outline"
        leftSection={<IconTrash size={16} />}
        style={{ alignSelf: "flex-start" }}
        onClick={asking.open}
      >
        {texts.delete}
      </Button>
      <WhenOpened opened={isAsked}>
        <ConfirmByName
          title={texts.deleteTitle}
          warning={texts.deleteWarning(name)}
          name={name}
          action={texts.deleteAction}
          opened={isAsked}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={(typed) => remove.mutate({ projectRef, name: typed })}
          onClose={close}
        />
      </WhenOpened>
    </Section>
  );
}
