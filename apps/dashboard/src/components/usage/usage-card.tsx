import { Group, SegmentedControl, Skeleton } from "@mantine/core";
import { type OverviewDays, overviewDays } from "@stowage/schemas/dashboard";
import { type ReactNode, Suspense, useState } from "react";
import { usage as texts } from "../../texts/usage.js";
import { type Loadable, Loaded } from "../loaded.js";
import { Section } from "../section.js";

/** Usage of the last days as a chart or a table. */
export function UsageCard<Days>(props: {
  title: string;
  /** Accessible name of the choice between chart and table. */
  displayAs: string;
  days: OverviewDays;
  onDays: (days: OverviewDays) => void;
  query: Loadable<Days>;
  chartHeight: number;
  children: (perDay: Days, shown: "chart" | "table") => ReactNode;
}) {
  const [shown, setShown] = useState<"chart" | "table">("chart");
  const skeleton = <Skeleton height={props.chartHeight} />;
  return (
    <Section
      title={props.title}
      aside={
        <Group gap="xs">
          <SegmentedControl
            aria-label={props.displayAs}
            value={shown}
            onChange={setShown}
            data={[
              { value: "chart", label: texts.asChart },
              { value: "table", label: texts.asTable },
            ]}
          />
          <SegmentedControl
            aria-label={texts.period}
            value={String(props.days)}
            onChange={(value) => props.onDays(overviewDays.find((days) => String(days) === value)!)}
            data={overviewDays.map((days) => ({ value: String(days), label: texts.lastDays(days) }))}
          />
        </Group>
      }
    >
      <Loaded query={props.query} skeleton={skeleton}>
        {(perDay) => <Suspense fallback={skeleton}>{props.children(perDay, shown)}</Suspense>}
      </Loaded>
    </Section>
  );
}
