import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { fileColumns } from "../../components/files/file-columns.js";
import type { ListedFile } from "../../components/files/listed-file.js";
import { isUnstored } from "../../components/files/file-state.js";
import { totalBytes } from "../../components/files/file-size.js";
import { FileTable } from "../../components/files/file-table.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { files as texts } from "../../components/files/files-texts.js";
import type { FilesSearch } from "./files-search.js";
import { loadChunk } from "../../load-chunk.js";

const DeleteDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./delete-dialog.js"))).DeleteDialog,
}));
const KeepFiles = lazy(async () => ({
  default: (await loadChunk(() => import("./keep-files.js"))).KeepFiles,
}));
const DiscardDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./discard-dialog.js"))).DiscardDialog,
}));

/** One page of the list of files. Members can select files and delete them, or discard uploads that are not stored. */
export function FileList(props: {
  projectRef: string;
  files: ListedFile[];
  previousCursor: string | null;
  nextCursor: string | null;
  isBackward: boolean;
  total: string | undefined;
  search: FilesSearch;
  isFetching: boolean;
  onSort: (sort: Pick<FilesSearch, "sort" | "order">) => void;
  onCursorChange: (cursor: string | undefined) => void;
}) {
  const { projectRef, files, search } = props;
  const { data: project } = useProject();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set());
  const [isOpen, dialog] = useDisclosure(false);
  // A copy, so that a refresh of the list does not change what the open dialog deletes.
  const [chosen, setChosen] = useState<ListedFile[]>([]);
  const mayDelete = project !== undefined && hasRole(project.role, "member");
  // Files that were selected on another page are not visible, so they are not deleted.
  const selected = files.filter(({ id }) => selectedIds.has(id));
  const confirm = () => {
    setChosen(selected);
    dialog.open();
  };
  const finish = () => {
    dialog.close();
    setSelectedIds(new Set());
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" {...(selected.length === 0 && { mt: "calc(var(--mantine-spacing-sm) * -1)" })}>
        {/* On the page from the start: screen readers do not announce a live region that appears with its text. */}
        <Text role="status" size="sm">
          {selected.length > 0 && texts.selected(selected.length, totalBytes(selected))}
        </Text>
        {selected.length > 0 && (
          <>
            <Suspense>
              <KeepFiles
                projectRef={projectRef}
                files={selected}
                size="xs"
                onDone={() => setSelectedIds(new Set())}
              />
            </Suspense>
            <Button size="xs" color="red" leftSection={<IconTrash size={16} />} onClick={confirm}>
              {nameOfRemoval(selected)}
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setSelectedIds(new Set())}>
              {texts.clearSelection}
            </Button>
          </>
        )}
      </Group>
      <FileTable
        label={texts.title}
        columns={Object.values(fileColumns(projectRef))}
        files={files}
        previousCursor={props.previousCursor}
        nextCursor={props.nextCursor}
        isBackward={props.isBackward}
        total={props.total}
        search={search}
        isFetching={props.isFetching}
        onSort={props.onSort}
        onCursorChange={props.onCursorChange}
        selection={
          mayDelete
            ? { selected, onSelect: (rows) => setSelectedIds(new Set(rows.map(({ id }) => id))) }
            : undefined
        }
      />
      <MountOnOpen opened={isOpen}>
        {chosen.every(isUnstored) ? (
          <DiscardDialog
            projectRef={projectRef}
            uploads={chosen}
            opened={isOpen}
            onClose={dialog.close}
            onDiscarded={finish}
          />
        ) : (
          <DeleteDialog
            projectRef={projectRef}
            files={chosen}
            opened={isOpen}
            onClose={dialog.close}
            onDeleted={finish}
          />
        )}
      </MountOnOpen>
    </Stack>
  );
}

function nameOfRemoval(files: ListedFile[]): string {
  if (files.every(isUnstored)) return texts.discardMany(files.length);
  const areTrashed = files.every(({ status }) => status === "trashed");
  return areTrashed ? texts.purgeMany(files.length) : texts.deleteMany(files.length);
}
