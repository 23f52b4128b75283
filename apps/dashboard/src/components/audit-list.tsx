import { Box, Text } from "@mantine/core";
import { audit as texts, auditSentence } from "./audit-texts.js";
import type { Outputs } from "../trpc.js";
import { browserName } from "./browser-name.js";
import type { Pages } from "./cursor-pages.js";
import { type Column, DataList } from "./data-list.js";
import { Email } from "./email.js";
import { RelativeTime } from "./relative-time.js";

type Entry = Outputs["audit"]["list"]["lines"][number];

/** Entries of the audit log: time, person, action and origin. */
export function AuditList(props: {
  lines: Entry[];
  pages: Pages;
  isFetching: boolean;
  /** Hides the column of persons, for a list about one person. */
  isOnePerson?: boolean;
}) {
  return (
    <DataList
      label={texts.list}
      columns={columnsFor(props.isOnePerson === true)}
      rows={props.lines}
      rowKey="id"
      isFetching={props.isFetching}
      pages={props.pages}
    />
  );
}

/** On phones only the action column is shown. It then contains the other columns' texts too. */
function columnsFor(isOnePerson: boolean): Column<Entry>[] {
  const operator: Column<Entry> = {
    isHiddenOnPhones: true,
    id: "operatorEmail",
    title: texts.operator,
    width: 220,
    render: ({ operatorEmail }) => <Email>{operatorEmail}</Email>,
  };
  return [
    {
      isHiddenOnPhones: true,
      id: "at",
      title: texts.at,
      noWrap: true,
      width: 140,
      render: ({ at }) => <RelativeTime at={at} />,
    },
    ...(isOnePerson ? [] : [operator]),
    {
      id: "action",
      title: texts.action,
      render: (entry) => (
        <Box style={{ overflowWrap: "anywhere" }}>
          {auditSentence(entry.action, entry.details)}
          <Box hiddenFrom="sm" c="dimmed" fz="xs">
            {!isOnePerson && (
              <div>
                <Email>{entry.operatorEmail}</Email>
              </div>
            )}
            <RelativeTime at={entry.at} /> · {entry.ipAddress || texts.noIpAddress} ·{" "}
            {browserName(entry.userAgent)}
          </Box>
        </Box>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "ipAddress",
      title: texts.origin,
      width: 170,
      render: ({ ipAddress, userAgent }) => (
        <Text size="sm" truncate title={userAgent}>
          {ipAddress || texts.noIpAddress}{" "}
          <Text span c="dimmed" size="xs">
            {browserName(userAgent)}
          </Text>
        </Text>
      ),
    },
  ];
}
