import { DataList } from "../../components/data-list.js";
import { Section } from "../../components/section.js";
import { health as texts } from "./health-texts.js";
import type { Health } from "./parts.js";

/** How busy the connections to the database are in the replica that answered. */
export function Lanes({ health: { database, replicaId } }: { health: Health }) {
  return (
    <Section title={texts.lanes} hint={texts.lanesHint(replicaId)}>
      <DataList
        label={texts.lanes}
        rows={database.lanes}
        rowKey="lane"
        columns={[
          { id: "lane", title: texts.lane, render: ({ lane }) => texts.laneNames[lane] },
          {
            id: "connections",
            title: texts.connections,
            textAlign: "right",
            render: (lane) => lane.connections,
          },
          { id: "running", title: texts.running, textAlign: "right", render: (lane) => lane.running },
          { id: "waiting", title: texts.waitingNow, textAlign: "right", render: (lane) => lane.waiting },
        ]}
      />
    </Section>
  );
}
