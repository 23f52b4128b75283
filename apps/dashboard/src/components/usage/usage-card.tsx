import { Skeleton } from "@mantine/core";
import { type OverviewDays, overviewDays } from "@stowage/operator-schemas";
import { type ReactNode, Suspense, useState } from "react";
import { usage as texts } from "./usage-texts.js";
import { type Loadable, Loaded } from "../loaded.js";
import { Section } from "../section.js";
import { ChartControls, type ChartView } from "./chart-controls.js";

/** Usage of the last days as a chart or a table. */
export function UsageCard<Days>(props: {
  title: string;
  /** Accessible name of the choice between chart and table. */
  displayAs: string;
  days: OverviewDays;
  onDays: (days: OverviewDays) => void;
  query: Loadable<Days>;
  chartHeight: number;
  children: (perDay: Days, view: ChartView) => ReactNode;
}) {
  const [view, setView] = useState<ChartView>("chart");
  const skeleton = <Skeleton height={props.chartHeight} />;
  return (
    <Section
      title={props.title}
      aside={
        <ChartControls
          displayAs={props.displayAs}
          view={view}
          onView={setView}
          periods={overviewDays}
          period={props.days}
          onPeriod={props.onDays}
          labelOf={texts.lastDays}
        />
      }
    >
      <Loaded query={props.query} skeleton={skeleton}>
        {(perDay) => <Suspense fallback={skeleton}>{props.children(perDay, view)}</Suspense>}
      </Loaded>
    </Section>
  );
}
