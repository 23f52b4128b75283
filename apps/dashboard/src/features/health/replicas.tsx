import { Badge, Group, Text } from "@mantine/core";
import { DataList } from "../../components/data-list.js";
import { formatCount } from "../../components/format.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { health as texts } from "./health-texts.js";
import type { Health } from "./parts.js";

/** A replica reports every 15 seconds. After this time it has ended, or it cannot reach the database. */
const SILENT_MS = 60_000;

/** The replicas that reported within a day. */
export function Replicas({ health: { replicas, replicaId, checkedAt } }: { health: Health }) {
  const isSilent = (seenAt: string) => Date.parse(checkedAt) - Date.parse(seenAt) > SILENT_MS;
  return (
    <Section title={texts.replicas}>
      {replicas.length === 0 ? (
        <Text c="dimmed">{texts.noReplicas}</Text>
      ) : (
        <DataList
          label={texts.replicas}
          rows={replicas}
          rowKey="id"
          columns={[
            {
              id: "id",
              title: texts.replica,
              noWrap: true,
              render: ({ id }) => (
                <Group gap="xs" wrap="nowrap">
                  <span translate="no">{id}</span>
                  {id === replicaId && (
                    <Text span size="xs" c="dimmed">
                      {texts.thisReplica}
                    </Text>
                  )}
                </Group>
              ),
            },
            { isHiddenOnPhones: true, id: "host", title: texts.host, render: ({ host }) => host },
            { id: "version", title: texts.versionColumn, render: ({ version }) => version },
            {
              isHiddenOnPhones: true,
              id: "startedAt",
              title: texts.started,
              noWrap: true,
              render: ({ startedAt }) => <RelativeTime at={startedAt} />,
            },
            {
              id: "seenAt",
              title: texts.seen,
              noWrap: true,
              render: ({ seenAt }) => (
                <Group gap="xs" wrap="nowrap">
                  <RelativeTime at={seenAt} />
                  {isSilent(seenAt) && (
                    <Badge variant="dot" color="yellow">
                      {texts.silent}
                    </Badge>
                  )}
                </Group>
              ),
            },
            {
              isHiddenOnPhones: true,
              id: "waiting",
              title: texts.waiting,
              textAlign: "right",
              render: ({ waiting }) => formatCount(waiting),
            },
          ]}
        />
      )}
    </Section>
  );
}
