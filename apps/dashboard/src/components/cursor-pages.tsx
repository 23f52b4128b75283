import { Button, Group, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from "@tabler/icons-react";
import { common } from "./common-texts.js";

/** The pages of a list, each identified by a cursor. */
export interface Pages {
  /** The cursor of the shown page: a search parameter. Undefined on the first page. */
  cursor: string | undefined;
  /** Null on the first page. */
  previousCursor: string | null;
  /** Null on the last page. */
  nextCursor: string | null;
  onCursorChange: (cursor: string | undefined) => void;
}

/** Pagination by cursor, and the number of entries if it is known. */
export function CursorPages(props: Pages & { total?: string | undefined }) {
  const { cursor, previousCursor, nextCursor, onCursorChange, total } = props;
  const hasPages = cursor !== undefined || nextCursor !== null;
  if (!hasPages && total === undefined) return null;
  return (
    <Group justify="space-between" gap="xs" mt="md">
      <Text size="sm" c="dimmed" className="tabular">
        {total}
      </Text>
      {hasPages && (
        <Group component="nav" aria-label={common.pagination} gap="xs">
          <Button
            variant="default"
            aria-label={common.firstPage}
            leftSection={<IconChevronsLeft size={16} />}
            disabled={cursor === undefined}
            onClick={() => onCursorChange(undefined)}
          >
            {common.first}
          </Button>
          <Button
            variant="default"
            aria-label={common.previousPage}
            leftSection={<IconChevronLeft size={16} />}
            disabled={previousCursor === null}
            onClick={() => previousCursor !== null && onCursorChange(previousCursor)}
          >
            {common.previous}
          </Button>
          <Button
            variant="default"
            aria-label={common.nextPage}
            rightSection={<IconChevronRight size={16} />}
            disabled={nextCursor === null}
            onClick={() => nextCursor !== null && onCursorChange(nextCursor)}
          >
            {common.next}
          </Button>
        </Group>
      )}
    </Group>
  );
}
