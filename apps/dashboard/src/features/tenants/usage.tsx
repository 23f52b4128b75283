import { Card, Group, SegmentedControl, Skeleton, Stack, Title } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Loaded } from "../../components/loaded.js";
import { tenants as texts } from "../../texts/tenants.js";
import { trpc } from "../../trpc.js";
import { UsageTable } from "./usage-table.js";

/** The charts' library is larger than all pages together. */
const UsageChart = lazy(async () => ({ default: (await import("./usage-chart.js")).UsageChart }));

const periods = [7, 30, 90] as const;
const HEIGHT = 260;

/** What a tenant used at the end of each day, as a chart or as a table. */
export function Usage({ projectRef, tenantId }: { projectRef: string; tenantId: string }) {
  const [days, setDays] = useState<(typeof periods)[number]>(30);
  const [shown, setShown] = useState("chart");
  const query = trpc.tenants.usagePerDay.useQuery(
    { projectRef, tenantId, days },
    { placeholderData: keepPreviousData },
  );
  const label = texts.usageOfDays(tenantId, days);
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
              onChange={(value) => setDays(periods.find((period) => String(period) === value)!)}
              data={periods.map((period) => ({ value: String(period), label: texts.lastDays(period) }))}
            />
          </Group>
        </Group>
        <Loaded query={query} skeleton={<Skeleton height={HEIGHT} />}>
          {(perDay) =>
            shown === "table" ? (
              <UsageTable label={label} days={perDay} />
            ) : (
              <Suspense fallback={<Skeleton height={HEIGHT} />}>
                <UsageChart label={label} days={perDay} height={HEIGHT} />
              </Suspense>
            )
          }
        </Loaded>
      </Stack>
    </Card>
  );
}
