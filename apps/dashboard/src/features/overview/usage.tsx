import { Card, Group, SegmentedControl, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type OverviewDays, overviewDays } from "@stowage/schemas/dashboard";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense, useState } from "react";
import { Loaded } from "../../components/loaded.js";
import { overview as texts } from "../../texts/overview.js";
import { trpc } from "../../trpc.js";
import { DEFAULT_DAYS } from "./overview-search.js";
import type { UsageChartsProps } from "./usage-charts.js";
import { UsageTable } from "./usage-table.js";

/** The charts' library is larger than all pages together. Where it cannot be loaded, such as offline, the table stands in its place. */
const UsageCharts = lazy<ComponentType<UsageChartsProps>>(() =>
  import("./usage-charts.js").then(
    ({ UsageCharts }) => ({ default: UsageCharts }),
    () => ({ default: UsageTable }),
  ),
);

const HEIGHT = 220;

/** What came and went in the last days, as charts or as a table. */
export function Usage({ projectRef, days }: { projectRef: string; days: OverviewDays }) {
  const navigate = useNavigate();
  const [shown, setShown] = useState("chart");
  const query = trpc.overview.perDay.useQuery({ projectRef, days }, { placeholderData: keepPreviousData });
  const skeleton = <Skeleton height={HEIGHT} />;
  const go = (value: string) => {
    const chosen = overviewDays.find((period) => String(period) === value)!;
    void navigate({
      to: "/projects/$projectRef",
      params: { projectRef },
      search: chosen === DEFAULT_DAYS ? {} : { days: chosen },
      resetScroll: false,
    });
  };
  return (
    <Card withBorder padding="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.usage}
          </Title>
          <Group gap="xs">
            <SegmentedControl
              aria-label={texts.shownAs}
              value={shown}
              onChange={setShown}
              data={[
                { value: "chart", label: texts.asChart },
                { value: "table", label: texts.asTable },
              ]}
            />
            <SegmentedControl
              aria-label={texts.period}
              value={String(days)}
              onChange={go}
              data={overviewDays.map((period) => ({ value: String(period), label: texts.lastDays(period) }))}
            />
          </Group>
        </Group>
        <Loaded query={query} skeleton={skeleton}>
          {(perDay) => {
            if (shown === "table") return <UsageTable days={perDay} />;
            if (perDay.every(({ uploads, deletedFiles }) => uploads + deletedFiles === 0))
              return <Text c="dimmed">{texts.quietDays(days)}</Text>;
            return (
              <Suspense fallback={skeleton}>
                <UsageCharts days={perDay} height={HEIGHT} />
              </Suspense>
            );
          }}
        </Loaded>
      </Stack>
    </Card>
  );
}
