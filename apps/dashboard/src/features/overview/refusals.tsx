import { Text } from "@mantine/core";
import type { OverviewDays } from "@stowage/schemas/dashboard";
import { keepPreviousData } from "@tanstack/react-query";
import { DataList } from "../../components/data-list.js";
import { formatCount } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Section } from "../../components/section.js";
import { overview as texts } from "../../texts/overview.js";
import { trpc } from "../../trpc.js";
import { REFRESH_MS } from "./use-live-uploads.js";

/** Why requests of the project's key were refused, the most frequent reason first. */
export function Refusals({ projectRef, days }: { projectRef: string; days: OverviewDays }) {
  const query = trpc.overview.refusals.useQuery(
    { projectRef, days },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  return (
    <Section title={texts.refused} h="100%">
      <Loaded query={query}>
        {(refusals) =>
          refusals.length === 0 ? (
            <Text c="dimmed">{texts.noneRefused(days)}</Text>
          ) : (
            <DataList
              label={texts.refused}
              rows={refusals}
              rowKey="code"
              columns={[
                {
                  accessor: "code",
                  title: texts.reason,
                  render: ({ code, detail }) => texts.reasons[code] ?? detail,
                },
                {
                  accessor: "count",
                  title: texts.times,
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
