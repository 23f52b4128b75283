import { fileStatusTraits } from "@stowage/operator-schemas";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArrowBackUp, IconLock, IconLockOpen } from "@tabler/icons-react";
import { errorMessage } from "../../components/errors.js";
import type { ListedFile } from "../../components/files/listed-file.js";
import { rememberFocus } from "../../components/return-focus.js";
import { trash } from "./trash-texts.js";
import { trpc } from "../../trpc.js";

type FileToKeep = Pick<ListedFile, "id" | "status" | "isHeld">;

/** Buttons that restore files from the trash, put them on hold and release them. Each is shown if it applies to all of the files. */
export function KeepFiles(props: {
  projectRef: string;
  files: FileToKeep[];
  size: "xs" | "sm";
  /** Called when something was done. */
  onDone?: () => void;
}) {
  const { projectRef, files, size, onDone } = props;
  const utils = trpc.useUtils();
  const fileIds = files.map(({ id }) => id);
  const options = {
    onMutate: () => rememberFocus(),
    onError: (error: unknown) => notifications.show({ message: errorMessage(error), color: "red" }),
    onSettled: (_data: unknown, _error: unknown, _input: unknown, keepFocus: (() => void) | undefined) => {
      keepFocus?.();
      // A restored file changes lists, the overview and the file's page.
      void utils.invalidate();
    },
  };
  const report = (done: number, message: (n: number) => string, missed: number) => {
    if (done > 0) notifications.show({ message: message(done) });
    if (missed > 0) notifications.show({ message: trash.changedMeanwhile(missed), color: "yellow" });
    onDone?.();
  };
  const restore = trpc.files.restore.useMutation({
    ...options,
    onSuccess: ({ restored, notFound }) => report(restored.length, trash.restored, notFound.length),
  });
  const setHold = trpc.files.hold.useMutation({
    ...options,
    onSuccess: ({ changed, notFound }, { hold }) =>
      report(changed.length, hold ? trash.held : trash.released, notFound.length),
  });
  const areTrashed = files.every(({ status }) => status === "trashed");
  const areInStorage = files.every(({ status }) => fileStatusTraits[status].counts);
  return (
    <>
      {areTrashed && (
        <Button
          size={size}
          leftSection={<IconArrowBackUp size={16} />}
          loading={restore.isPending}
          onClick={() => restore.mutate({ projectRef, fileIds })}
        >
          {files.length === 1 ? trash.restoreOne : trash.restoreMany(files.length)}
        </Button>
      )}
      {areInStorage && !files.some(({ isHeld }) => isHeld) && (
        <Button
          size={size}
          variant="default"
          leftSection={<IconLock size={16} />}
          loading={setHold.isPending}
          onClick={() => setHold.mutate({ projectRef, fileIds, hold: true })}
        >
          {trash.hold}
        </Button>
      )}
      {files.every(({ isHeld }) => isHeld) && (
        <Button
          size={size}
          variant="default"
          leftSection={<IconLockOpen size={16} />}
          loading={setHold.isPending}
          onClick={() => setHold.mutate({ projectRef, fileIds, hold: false })}
        >
          {trash.release}
        </Button>
      )}
    </>
  );
}
