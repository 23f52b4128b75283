import { Button, Group } from "@mantine/core";
import { IconChevronRight, IconChevronsLeft } from "@tabler/icons-react";
import { common } from "../texts/common.js";

/**
 * The way through a list that is paged by cursor. The cursor lives in the URL, so the browser's back button is the way to the
 * page before.
 */
export function CursorPages(props: {
  cursor: string | undefined;
  nextCursor: string | null;
  onGo: (cursor: string | undefined) => void;
}) {
  const { cursor, nextCursor, onGo } = props;
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label={common.pages} justify="flex-end" gap="xs">
      <Button
        variant="default"
        leftSection={<IconChevronsLeft size={16} />}
        disabled={cursor === undefined}
        onClick={() => onGo(undefined)}
      >
        {common.firstPage}
      </Button>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={16} />}
        disabled={nextCursor === null}
        onClick={() => nextCursor !== null && onGo(nextCursor)}
      >
        {common.nextPage}
      </Button>
    </Group>
  );
}
