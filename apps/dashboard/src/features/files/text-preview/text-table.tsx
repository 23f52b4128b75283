import { Box, Table, Text } from "@mantine/core";
import { UntrustedText } from "../../../components/untrusted-text.js";
import { parseTable } from "./parse-table.js";
import { textPreview as texts } from "./text-preview-texts.js";
import classes from "./text-preview.module.css";

const MAX_ROWS = 200;
const MAX_COLUMNS = 30;
const MAX_CELL_CHARACTERS = 500;

/** Shows comma-separated values. The first row is the head of the table. */
export function TextTable(props: { text: string; isWhole: boolean; isTabSeparated: boolean; label: string }) {
  const { rows, columnCount, hasMore } = parseTable(props, MAX_ROWS);
  const [head = [], ...body] = rows;
  const columns = [...Array(Math.min(columnCount, MAX_COLUMNS)).keys()];
  return (
    <>
      {hasMore && <Note>{texts.firstRows(MAX_ROWS)}</Note>}
      {columnCount > MAX_COLUMNS && <Note>{texts.firstColumns(MAX_COLUMNS, columnCount)}</Note>}
      {/* `tabIndex` makes the table scrollable by keyboard. */}
      <Box className={classes["table"] ?? ""} tabIndex={0} role="region" aria-label={props.label}>
        <Table withColumnBorders striped stickyHeader fz="xs" aria-label={props.label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Cell key={column} text={head[column]} isHead />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {body.map((row, index) => (
              <Table.Tr key={index}>
                {columns.map((column) => (
                  <Cell key={column} text={row[column]} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </>
  );
}

/** A head without a text would be announced for each cell below it. */
function Cell({ text = "", isHead = false }: { text: string | undefined; isHead?: boolean }) {
  const Tag = isHead && text.trim() !== "" ? Table.Th : Table.Td;
  const shown = text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text;
  return (
    <Tag>
      <UntrustedText text={shown.replace(/\s*[\r\n]+\s*/g, " ")} />
    </Tag>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
