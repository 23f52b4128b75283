import { Anchor, Text } from "@mantine/core";
import type { OverviewDays } from "@stowage/operator-schemas";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { DataList } from "../../components/data-list.js";
import { formatCount } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Section } from "../../components/section.js";
import { overview as texts } from "../../components/overview-texts.js";
import { trpc } from "../../trpc.js";
import { REFRESH_MS } from "./use-live-uploads.js";

/** Why requests with the project's API key were rejected, most frequent reason first. */
export function RejectedRequests({ projectRef, days }: { projectRef: string; days: OverviewDays }) {
  const query = trpc.overview.refusals.useQuery(
    { projectRef, days },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  return (
    <Section
      title={texts.rejected}
      aside={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/projects/$projectRef/health" params={{ projectRef }} {...props} />
          )}
        >
          {texts.eachRejected}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {(reasons) =>
          reasons.length === 0 ? (
            <Text c="dimmed">{texts.noneRejected(days)}</Text>
          ) : (
            <DataList
              label={texts.rejected}
              rows={reasons}
              rowKey="code"
              columns={[
                {
                  id: "code",
                  title: texts.reason,
                  render: ({ code, detail }) => (
                    <Anchor
                      inherit
                      renderRoot={(props) => (
                        <Link
                          to="/projects/$projectRef/health"
                          params={{ projectRef }}
                          search={{ code }}
                          {...props}
                        />
                      )}
                    >
                      {texts.reasons[code] ?? detail}
                    </Anchor>
                  ),
                },
                {
                  id: "count",
                  title: texts.count,
                  textAlign: "right",
                  render: ({ count }) => formatCount(count),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
