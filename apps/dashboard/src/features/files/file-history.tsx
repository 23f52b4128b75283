import { Text, Timeline } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCheck,
  IconClock,
  IconFileOff,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconReplace,
  IconTrash,
  IconUpload,
} from "@tabler/icons-react";
import { formatBytes, formatDateTime } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Section } from "../../components/section.js";
import { RelativeTime } from "../../components/relative-time.js";
import { filePage as texts } from "./file-page-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

type Event = Outputs["files"]["history"]["events"][number];

const icons: Record<Event["kind"], typeof IconCheck> = {
  asked: IconUpload,
  stored: IconCheck,
  replayed: IconReplace,
  expired: IconClock,
  lost: IconFileOff,
  deleted: IconTrash,
  trashed: IconTrash,
  restored: IconArrowBackUp,
  held: IconLock,
  released: IconLockOpen,
  updated: IconPencil,
};

/** The events of a file, oldest first. */
export function FileHistory({ projectRef, fileId }: { projectRef: string; fileId: number }) {
  const history = trpc.files.history.useQuery({ projectRef, fileId });
  return (
    <Section title={texts.history}>
      <Loaded query={history}>
        {({ events }) => (
          <Timeline
            active={events.length - 1}
            bulletSize={22}
            color="gray"
            lineWidth={1}
            styles={{ itemTitle: { lineHeight: 1.3 } }}
          >
            {events.map((event) => {
              const Icon = icons[event.kind];
              return (
                <Timeline.Item
                  key={`${event.at} ${event.kind}`}
                  bullet={<Icon size={12} aria-hidden />}
                  title={texts.events[event.kind]}
                  {...(event.kind === "deleted" || event.kind === "lost" ? { color: "red" } : {})}
                >
                  <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                    {[actorOf(event), event.sizeBytes === null ? null : formatBytes(event.sizeBytes)]
                      .filter(Boolean)
                      .join(" · ")}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {formatDateTime(event.at)} (<RelativeTime at={event.at} />)
                  </Text>
                </Timeline.Item>
              );
            })}
          </Timeline>
        )}
      </Loaded>
    </Section>
  );
}

/** An expired upload has no actor. */
const actorOf = ({ kind, by }: Event) => (kind === "expired" ? null : texts.by(by));
