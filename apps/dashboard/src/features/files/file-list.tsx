import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { limits } from "@stowage/schemas";
import type { FileSort, SortOrder } from "@stowage/schemas/dashboard";
import { IconTrash } from "@tabler/icons-react";
import { lazy, useState } from "react";
import { DataList } from "../../components/data-list.js";
import { mayAs, useProject } from "../../components/use-project.js";
import { WhenOpened } from "../../components/when-opened.js";
import { unhide } from "../../components/given-text.js";
import { files as texts } from "../../texts/files.js";
import { totalBytes } from "../../components/file-summary.js";
import { fileColumns, type ListedFile } from "./file-columns.js";
import type { FilesSearch } from "./files-search.js";
import { SearchGoesOn } from "./search-goes-on.js";

const DeleteDialog = lazy(async () => ({ default: (await import("./delete-dialog.js")).DeleteDialog }));

/** What a first click on a column's header asks for: names from A, the newest and the largest before the others. */
const firstOrder: Record<FileSort, SortOrder> = { filename: "asc", created_at: "desc", size: "desc" };

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
  const { projectRef, files, nextCursor, search } = props;
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
  const sort = search.sort ?? "created_at";
  const isPart = nextCursor !== null && files.length < limits.pageSize && !props.isFetching;
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
      {isPart && <SearchGoesOn found={files.length} onGo={() => props.onGo(nextCursor)} />}
      {!(isPart && files.length === 0) && (
        <DataList<ListedFile>
          label={texts.title}
          columns={fileColumns(projectRef)}
          rows={files}
          rowKey="id"
          isFetching={props.isFetching}
          sort={{ by: sort, order: search.order ?? "desc" }}
          onSort={({ by, order }) =>
            props.onSort({ sort: by as FileSort, order: by === sort ? order : firstOrder[by as FileSort] })
          }
          cursor={search.cursor}
          nextCursor={nextCursor}
          onGo={props.onGo}
          nameOf={({ filename }) => unhide(filename)}
          {...(mayDelete
            ? { selected, onSelect: (rows) => setChosen(new Set(rows.map(({ id }) => id))) }
            : {})}
        />
      )}
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
