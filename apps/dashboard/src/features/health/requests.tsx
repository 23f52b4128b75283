import { Skeleton, Text } from "@mantine/core";
import { type RequestPeriod, requestPeriods } from "@stowage/operator-schemas";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { DataList } from "../../components/data-list.js";
import { formatCount, formatMs, formatTime } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Section } from "../../components/section.js";
import { ChartControls, type ChartView } from "../../components/usage/chart-controls.js";
import { lazyChart } from "../../components/usage/lazy-chart.js";
import { health as texts } from "./health-texts.js";
import { trpc } from "../../trpc.js";
import type { RequestChartsProps } from "./request-charts.js";

const RequestCharts = lazyChart(
  async () => (await import("./request-charts.js")).RequestCharts,
  RequestsTable,
);

export const DEFAULT_HOURS: RequestPeriod = 1;
const REFRESH_MS = 30_000;
const CHART_HEIGHT = 220;

/** Requests, errors and p95 over the last hours, as charts or a table. The number of hours is a search parameter. */
export function Requests({ hours }: { hours: RequestPeriod }) {
  const navigate = useNavigate();
  const [view, setView] = useState<ChartView>("chart");
  const query = trpc.health.requests.useQuery(
    { hours },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  const showHours = (chosen: RequestPeriod) => {
    const search = chosen === DEFAULT_HOURS ? {} : { hours: chosen };
    void navigate({ to: "/health", search, resetScroll: false });
  };
  const skeleton = <Skeleton height={CHART_HEIGHT} />;
  return (
    <Section
      title={texts.requests}
      hint={texts.requestsHint}
      aside={
        <ChartControls
          displayAs={texts.displayAs}
          view={view}
          onView={setView}
          periodLabel={texts.period}
          periods={requestPeriods}
          period={hours}
          onPeriod={showHours}
          labelOf={texts.hours}
        />
      }
    >
      <Loaded query={query} skeleton={skeleton}>
        {(steps) => {
          const props = { steps, hours, height: CHART_HEIGHT };
          if (view === "table") return <RequestsTable {...props} />;
          if (steps.every(({ requests }) => requests === 0))
            return <Text c="dimmed">{texts.noRequests(hours)}</Text>;
          return (
            <Suspense fallback={skeleton}>
              <RequestCharts {...props} />
            </Suspense>
          );
        }}
      </Loaded>
    </Section>
  );
}

function RequestsTable({ steps, hours }: RequestChartsProps) {
  const count = (id: "requests" | "refused" | "wrongKeys" | "failed", title: string) => ({
    id,
    title,
    textAlign: "right" as const,
    render: (step: RequestChartsProps["steps"][number]) => formatCount(step[id]),
  });
  return (
    <DataList
      label={texts.requestsTable(hours)}
      rows={steps.toReversed()}
      rowKey="at"
      columns={[
        { id: "at", title: texts.time, noWrap: true, render: ({ at }) => formatTime(at) },
        count("requests", texts.all),
        count("refused", texts.refused),
        count("wrongKeys", texts.wrongKeys),
        count("failed", texts.failed),
        {
          id: "p95Ms",
          title: texts.p95,
          textAlign: "right",
          noWrap: true,
          render: ({ p95Ms }) => (p95Ms === null ? "–" : formatMs(p95Ms)),
        },
      ]}
    />
  );
}
