import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDownload, IconShieldCheck, IconTrash } from "@tabler/icons-react";
import { errorMessage } from "../../components/errors.js";
import { isUnstored } from "../../components/files/file-state.js";
import { isRefused, scanState } from "../../components/files/scan-state.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { filePage as texts } from "./file-page-texts.js";
import { files } from "../../components/files/files-texts.js";
import { quarantine } from "./quarantine-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DeleteDialog } from "./delete-dialog.js";
import { DiscardDialog } from "./discard-dialog.js";
import { KeepFiles } from "./keep-files.js";
import { ReleaseDialog } from "./release-dialog.js";
import { UpdateAction } from "./update-action.js";
import { VisibilityAction } from "./visibility-action.js";

/** Buttons to download and delete a file, or to discard an upload that is not stored. Only members may delete, discard and publish, and only owners release from quarantine. */
export function FileActions(props: { projectRef: string; file: Outputs["files"]["read"] }) {
  const { projectRef, file } = props;
  const { data: project } = useProject();
  const utils = trpc.useUtils();
  const [isOpen, dialog] = useDisclosure(false);
  const [isReleasing, releaseDialog] = useDisclosure(false);
  const isUpload = isUnstored(file);
  const isQuarantined = ["infected", "unscannable"].includes(scanState(file, project));
  const mayRelease =
    isQuarantined && file.status === "stored" && project !== undefined && hasRole(project.role, "owner");
  const download = trpc.files.links.useMutation({
    // The URL answers with Content-Disposition: attachment, so the browser downloads it and stays on this page.
    onSuccess: ({ downloadUrl }) => location.assign(downloadUrl),
    onError: (error) => {
      notifications.show({ message: errorMessage(error), color: "red" });
      // The likely cause is that the file has changed since the page was loaded.
      void utils.files.invalidate();
    },
  });
  return (
    <>
      {file.status === "stored" && !isRefused(file, project) && (
        <Button
          leftSection={<IconDownload size={16} />}
          loading={download.isPending}
          onClick={() => download.mutate({ projectRef, fileId: file.id })}
        >
          {texts.download}
        </Button>
      )}
      {project && hasRole(project.role, "member") && (
        <>
          {mayRelease && (
            <Button
              variant="default"
              leftSection={<IconShieldCheck size={16} />}
              onClick={releaseDialog.open}
            >
              {quarantine.releaseFile}
            </Button>
          )}
          <ReleaseDialog
            projectRef={projectRef}
            file={file}
            opened={isReleasing}
            onClose={releaseDialog.close}
          />
          <UpdateAction projectRef={projectRef} file={file} />
          <VisibilityAction projectRef={projectRef} file={file} />
          <KeepFiles projectRef={projectRef} files={[file]} size="sm" />
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={dialog.open}>
            {isUpload ? files.discardOne : file.status === "trashed" ? files.purgeOne : files.deleteOne}
          </Button>
          {isUpload ? (
            <DiscardDialog
              projectRef={projectRef}
              uploads={[file]}
              opened={isOpen}
              onClose={dialog.close}
              onDiscarded={dialog.close}
            />
          ) : (
            <DeleteDialog
              projectRef={projectRef}
              files={[file]}
              opened={isOpen}
              onClose={dialog.close}
              onDeleted={dialog.close}
            />
          )}
        </>
      )}
    </>
  );
}
