import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { DeleteSection } from "../../components/delete-section.js";
import { settings as texts } from "./settings-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

/** Deletes the project after its name was typed. */
export function DeleteProject({ project }: { project: Outputs["projects"]["read"] }) {
  const { ref: projectRef, name } = project;
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const remove = trpc.projects.delete.useMutation({
    onSuccess: async () => {
      await navigate({ to: "/", replace: true, ignoreBlocker: true });
      notifications.show({ message: texts.deleted(name) });
      await utils.projects.list.invalidate();
    },
  });
  return (
    <DeleteSection
      title={texts.deleteSection}
      hint={texts.deleteHint}
      button={texts.delete}
      dialog={{
        title: texts.deleteTitle,
        warning: texts.deleteWarning(name),
        name,
        action: texts.deleteAction,
        onConfirm: (typed) => remove.mutate({ projectRef, name: typed }),
      }}
      mutation={remove}
    />
  );
}
