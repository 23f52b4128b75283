import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDownload, IconTrash } from "@tabler/icons-react";
import { sentenceOf } from "../../components/failure.js";
import { mayAs, useProject } from "../../components/use-project.js";
import { files as texts } from "../../texts/files.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DeleteDialog } from "./delete-dialog.js";

/** What can be done with a file: saved by all, deleted by members. */
export function FileActions(props: { projectRef: string; file: Outputs["files"]["read"] }) {
  const { projectRef, file } = props;
  const { data: project } = useProject();
  const utils = trpc.useUtils();
  const [isOpen, dialog] = useDisclosure(false);
  const download = trpc.files.links.useMutation({
    // An attachment: the browser saves it, and the page stays.
    onSuccess: ({ downloadUrl }) => location.assign(downloadUrl),
    onError: (error) => {
      notifications.show({ message: sentenceOf(error), color: "red" });
      // Most likely it is not what it was when the page was loaded.
      void utils.files.invalidate();
    },
  });
  return (
    <>
      {file.status === "stored" && (
        <Button
          leftSection={<IconDownload size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate({ projectRef, fileId: file.id })}
        >
          {texts.download}
        </Button>
      )}
      {project && mayAs(project.role, "member") && (
        <>
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
            {texts.deleteOne}
          </Button>
          <DeleteDialog
            projectRef={projectRef}
            files={[file]}
            opened={isOpen}
            onClose={dialog.close}
            onDeleted={dialog.close}
          />
        </>
      )}
    </>
  );
}
