import { Box, Stack, Text } from "@mantine/core";
import type { DataTableColumn } from "mantine-datatable";
import { audit as texts, auditSentence } from "../texts/audit.js";
import type { Outputs } from "../trpc.js";
import { browserName } from "./browser-name.js";
import { DataList } from "./data-list.js";
import { Email } from "./email.js";
import { onlyWide } from "./only-wide.js";
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
      columns={columnsFor(props.isOfOne === true)}
      rows={props.lines}
      rowKey="id"
      isFetching={props.isFetching}
      cursor={props.cursor}
      nextCursor={props.nextCursor}
      onGo={props.onGo}
    />
  );
}

/** A phone has room for one column, which then says it all. */
function columnsFor(isOfOne: boolean): DataTableColumn<Line>[] {
  const who: DataTableColumn<Line> = {
    ...onlyWide,
    accessor: "operatorEmail",
    title: texts.who,
    width: 220,
    render: ({ operatorEmail }) => <Email>{operatorEmail}</Email>,
  };
  return [
    {
      ...onlyWide,
      accessor: "at",
      title: texts.at,
      noWrap: true,
      width: 140,
      render: ({ at }) => <When at={at} />,
    },
    ...(isOfOne ? [] : [who]),
    {
      accessor: "action",
      title: texts.what,
      render: (line) => (
        <Box style={{ overflowWrap: "anywhere" }}>
          {auditSentence(line.action, line.details)}
          <Box hiddenFrom="sm" c="dimmed" fz="xs">
            {!isOfOne && (
              <div>
                <Email>{line.operatorEmail}</Email>
              </div>
            )}
            <When at={line.at} /> · {line.ipAddress || texts.nowhere} · {browserName(line.userAgent)}
          </Box>
        </Box>
      ),
    },
    {
      ...onlyWide,
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
}
