import { Stack, Text } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { audit as texts, auditSentence } from "../texts/audit.js";
import type { Outputs } from "../trpc.js";
import { browserName } from "./browser-name.js";
import { DataList } from "./data-list.js";
import { When } from "./when.js";

type Line = Outputs["audit"]["list"]["lines"][number];

/** Lines of the audit log: when, who unless it is always the same person, what, and from where. */
export function AuditList(props: {
  lines: Line[];
  nextCursor: string | null;
  cursor: string | undefined;
  onGo: (cursor: string | undefined) => void;
  isFetching: boolean;
  /** All lines are of one person, who is known. */
  isOfOne?: boolean;
}) {
  return (
    <DataList
      label={texts.list}
      columns={props.isOfOne ? columns.filter(({ accessor }) => accessor !== "operatorEmail") : columns}
      rows={props.lines}
      rowKey="id"
      isFetching={props.isFetching}
      cursor={props.cursor}
      nextCursor={props.nextCursor}
      onGo={props.onGo}
    />
  );
}

const columns: DataTableColumn<Line>[] = [
  { accessor: "at", title: texts.at, noWrap: true, width: 140, render: ({ at }) => <When at={at} /> },
  {
    accessor: "operatorEmail",
    title: texts.who,
    width: 220,
    render: ({ operatorEmail }) => <span style={{ overflowWrap: "anywhere" }}>{operatorEmail}</span>,
  },
  {
    accessor: "action",
    title: texts.what,
    width: 380,
    render: ({ action, details }) => (
      <span style={{ overflowWrap: "anywhere" }}>{auditSentence(action, details)}</span>
    ),
  },
  {
    accessor: "ipAddress",
    title: texts.from,
    width: 180,
    render: ({ ipAddress, userAgent }) => (
      <Stack gap={0}>
        <span>{ipAddress || texts.nowhere}</span>
        <Text size="xs" c="dimmed" lineClamp={1} title={userAgent}>
          {browserName(userAgent)}
        </Text>
      </Stack>
    ),
  },
];
