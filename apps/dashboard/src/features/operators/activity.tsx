import { Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { DataList } from "../../components/data-list.js";
import { Empty } from "../../components/empty.js";
import { Loaded } from "../../components/loaded.js";
import { When } from "../../components/when.js";
import { account } from "../../texts/account.js";
import { auditActionText } from "../../texts/audit-actions.js";
import { trpc } from "../../trpc.js";

const LINES = 10;

/** What the person did lately, or somebody in their name: refused sign-ins too. */
export function Activity() {
  const { cursor } = useSearch({ from: "/signed-in/account" });
  const navigate = useNavigate();
  const activity = trpc.session.activity.useQuery({ limit: LINES, ...(cursor && { cursor }) });
  return (
    <Loaded query={activity}>
      {({ lines, nextCursor }) =>
        lines.length === 0 ? (
          <Empty title={account.noActivity} />
        ) : (
          <DataList
            label={account.activity}
            rows={lines}
            rowKey="id"
            isFetching={activity.isPlaceholderData}
            columns={[
              { accessor: "at", title: account.when, width: 150, render: ({ at }) => <When at={at} /> },
              {
                accessor: "action",
                title: account.what,
                width: 240,
                render: ({ action }) => auditActionText(action),
              },
              {
                accessor: "ipAddress",
                title: account.where,
                width: 150,
                render: ({ ipAddress }) => ipAddress || "–",
              },
              {
                accessor: "userAgent",
                title: account.browser,
                width: 280,
                render: ({ userAgent }) => (
                  <Text size="sm" lineClamp={1} title={userAgent}>
                    {userAgent || "–"}
                  </Text>
                ),
              },
            ]}
            cursor={cursor}
            nextCursor={nextCursor}
            onGo={(next) =>
              void navigate({ to: "/account", search: next === undefined ? {} : { cursor: next } })
            }
          />
        )
      }
    </Loaded>
  );
}
