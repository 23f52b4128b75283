import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { limits } from "@stowage/schemas";
import { IconListSearch } from "@tabler/icons-react";
import { files as texts } from "./files-texts.js";
import { type Column, DataList } from "../data-list.js";
import { replaceControlCharacters } from "../untrusted-text.js";
import { type FileListSearch, fileOrders } from "./file-list-search.js";
import type { ListedFile } from "./listed-file.js";
import { Thumbnails } from "./thumbnails.js";

/** One page of a list of files. The service sorts and pages it. */
export function FileTable(props: {
  label: string;
  columns: Column<ListedFile>[];
  files: ListedFile[];
  previousCursor: string | null;
  nextCursor: string | null;
  isBackward: boolean;
  /** The number of files of the whole list, as text. */
  total?: string | undefined;
  search: FileListSearch;
  /** @default limits.pageSize */
  pageSize?: number;
  isFetching: boolean;
  onSort: (order: Pick<FileListSearch, "sort" | "order">) => void;
  onCursorChange: (cursor: string | undefined) => void;
  selection?: { selected: ListedFile[]; onSelect: (files: ListedFile[]) => void } | undefined;
}) {
  const { files, previousCursor, nextCursor, search, isFetching, onCursorChange } = props;
  const { pageSize = limits.pageSize } = props;
  // The service searches a long list in parts, so a page can be shorter than the page size and not be the last.
  const onward = props.isBackward ? previousCursor : nextCursor;
  const isPartial = onward !== null && files.length < pageSize && !isFetching;
  return (
    <Stack gap="sm">
      {isPartial && <PartialResults found={files.length} onContinue={() => onCursorChange(onward)} />}
      {!(isPartial && files.length === 0) && (
        <Thumbnails files={files}>
          <DataList
            label={props.label}
            columns={props.columns}
            rows={files}
            rowKey="id"
            isFetching={isFetching}
            orders={fileOrders}
            sort={{ by: search.sort ?? "created_at", order: search.order ?? "desc" }}
            onSort={({ by, order }) => props.onSort({ sort: by, order })}
            pages={{ cursor: search.cursor, previousCursor, nextCursor, onCursorChange }}
            total={props.total}
            nameOf={({ filename }) => replaceControlCharacters(filename)}
            {...props.selection}
          />
        </Thumbnails>
      )}
    </Stack>
  );
}

function PartialResults({ found, onContinue }: { found: number; onContinue: () => void }) {
  return (
    <Alert
      icon={<IconListSearch />}
      title={texts.partialResults}
      color="blue"
      variant="default"
      role="status"
    >
      <Group justify="space-between">
        <Text size="sm">{texts.partialResultsHint(found)}</Text>
        <Button size="xs" onClick={onContinue}>
          {texts.continueSearch}
        </Button>
      </Group>
    </Alert>
  );
}
