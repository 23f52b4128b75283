import { Button, Group } from "@mantine/core";
import { useState } from "react";

/** A dialog that is open, and the row that it is about. A new row has none. */
export interface OpenedDialog<Row> {
  dialog: "save" | "delete";
  row?: Row;
}

/** Remembers which dialog of a list is open. `shown` stays while the dialog closes, because it keeps its content until then. */
export function useRowDialogs<Row>() {
  const [opened, setOpened] = useState<OpenedDialog<Row> | null>(null);
  const [shown, setShown] = useState<OpenedDialog<Row> | null>(null);
  return {
    opened: opened?.dialog,
    shown: shown?.row,
    open(next: OpenedDialog<Row>) {
      setShown(next);
      setOpened(next);
    },
    close: () => setOpened(null),
  };
}

/** The buttons of a row that open its dialogs. */
export function RowButtons<Row extends { name: string }>(props: {
  row: Row;
  texts: {
    change: string;
    delete: string;
    changeOf: (name: string) => string;
    deleteOf: (name: string) => string;
  };
  onOpen: (next: OpenedDialog<Row>) => void;
}) {
  const { row, texts, onOpen } = props;
  const button = { variant: "default", size: "compact-sm" } as const;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        {...button}
        aria-label={texts.changeOf(row.name)}
        onClick={() => onOpen({ dialog: "save", row })}
      >
        {texts.change}
      </Button>
      <Button
        {...button}
        aria-label={texts.deleteOf(row.name)}
        onClick={() => onOpen({ dialog: "delete", row })}
      >
        {texts.delete}
      </Button>
    </Group>
  );
}
