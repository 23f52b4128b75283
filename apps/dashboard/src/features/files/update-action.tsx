import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil } from "@tabler/icons-react";
import { lazy } from "react";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { loadChunk } from "../../load-chunk.js";
import type { Outputs } from "../../trpc.js";
import { filePage as texts } from "./file-page-texts.js";

const UpdateDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./update-dialog.js"))).UpdateDialog,
}));

/** A button that renames a file or moves it to another folder. Nothing, for a file in the trash. */
export function UpdateAction(props: { projectRef: string; file: Outputs["files"]["read"] }) {
  const [isOpen, dialog] = useDisclosure(false);
  if (props.file.status === "trashed") return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={dialog.open}>
        {texts.update}
      </Button>
      <MountOnOpen opened={isOpen}>
        <UpdateDialog {...props} opened={isOpen} onClose={dialog.close} />
      </MountOnOpen>
    </>
  );
}
