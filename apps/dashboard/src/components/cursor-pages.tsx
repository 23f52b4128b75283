import { Button, Group } from "@mantine/core";
import { IconChevronRight, IconChevronsLeft } from "@tabler/icons-react";
import { common } from "../texts/common.js";

/**
 * Pagination by cursor. There is no button for the previous page, because cursors only point forward. The cursor is a search
 * parameter, so the browser's back button returns to the previous page.
 */
export function CursorPages(props: {
  cursor: string | undefined;
  nextCursor: string | null;
  onCursorChange: (cursor: string | undefined) => void;
}) {
  const { cursor, nextCursor, onCursorChange } = props;
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label={common.pagination} justify="flex-end" gap="xs">
      <Button
        variant="default"
        leftSection={<IconChevronsLeft size={16} />}
        disabled={cursor === undefined}
        onClick={() => onCursorChange(undefined)}
      >
        {common.firstPage}
      </Button>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={16} />}
        disabled={nextCursor === null}
        onClick={() => nextCursor !== null && onCursorChange(nextCursor)}
      >
        {common.nextPage}
      </Button>
    </Group>
  );
}
