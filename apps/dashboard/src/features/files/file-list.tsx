import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { lazy, useState } from "react";
import { fileColumns } from "../../components/files/file-columns.js";
import type { ListedFile } from "../../components/files/file-name.js";
import { totalBytes } from "../../components/files/file-size.js";
import { FileTable } from "../../components/files/file-table.js";
import { mayAs, useProject } from "../../components/use-project.js";
import { WhenOpened } from "../../components/when-opened.js";
import { files as texts } from "../../texts/files.js";
import type { FilesSearch } from "./files-search.js";

const DeleteDialog = lazy(async () => ({ default: (await import("./delete-dialog.js")).DeleteDialog }));

/** One page of the list; members choose files of it to delete. */
export function FileList(props: {
  projectRef: string;
  files: ListedFile[];
  nextCursor: string | null;
  search: FilesSearch;
  isFetching: boolean;
  onSort: (sort: Pick<FilesSearch, "sort" | "order">) => void;
  onGo: (cursor: string | undefined) => void;
}) {
  const { projectRef, files, search } = props;
  const { data: project } = useProject();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [isOpen, dialog] = useDisclosure(false);
  /** As they were when somebody was asked about them. */
  const [doomed, setDoomed] = useState<ListedFile[]>([]);
  const mayDelete = project !== undefined && mayAs(project.role, "member");
  // Only what is seen is deleted: not what was chosen on another page.
  const selected = files.filter(({ id }) => chosen.has(id));
  const ask = () => {
    setDoomed(selected);
    dialog.open();
  };
  return (
    <Stack gap="sm">
      {selected.length > 0 && (
        <Group role="status" gap="sm">
          <Text size="sm">{texts.selected(selected.length, totalBytes(selected))}</Text>
          <Button size="xs" color="red" leftSection={<IconTrash size={16} />} onClick={ask}>
            {texts.deleteMany(selected.length)}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => setChosen(new Set())}>
            {texts.unselect}
          </Button>
        </Group>
      )}
      <FileTable
        label={texts.title}
        columns={Object.values(fileColumns(projectRef))}
        files={files}
        nextCursor={props.nextCursor}
        search={search}
        isFetching={props.isFetching}
        onSort={props.onSort}
        onGo={props.onGo}
        selection={
          mayDelete
            ? { selected, onSelect: (rows) => setChosen(new Set(rows.map(({ id }) => id))) }
            : undefined
        }
      />
      <WhenOpened opened={isOpen}>
        <DeleteDialog
          projectRef={projectRef}
          files={doomed}
          opened={isOpen}
          onClose={dialog.close}
          onDeleted={() => {
            dialog.close();
            setChosen(new Set());
          }}
        />
      </WhenOpened>
    </Stack>
  );
}
