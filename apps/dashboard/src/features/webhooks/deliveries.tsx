import { Anchor, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh, IconWebhook } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, useEffect } from "react";
import { type Column, DataList } from "../../components/data-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { Loaded } from "../../components/loaded.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { useProjectRef } from "../../components/use-project.js";
import { loadChunk } from "../../load-chunk.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { About } from "./about.js";
import { DeliveryState, type Endpoint } from "./endpoint-state.js";
import { untilNextTry } from "./next-try.js";

const DeliveryDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./delivery-dialog.js"))).DeliveryDialog,
}));
const RedeliverSince = lazy(async () => ({
  default: (await loadChunk(() => import("./redeliver-since.js"))).RedeliverSince,
}));

export type Delivery = Outputs["webhooks"]["deliveries"]["deliveries"][number];

/** The log of an endpoint. What it shows comes from the search parameters. */
export function Deliveries({ endpoint, isMember }: { endpoint: Endpoint; isMember: boolean }) {
  const projectRef = useProjectRef();
  const { show, cursor, event } = useSearch({
    from: "/signed-in/projects/$projectRef/webhooks/$endpointRef",
  });
  const navigate = useNavigate({ from: "/projects/$projectRef/webhooks/$endpointRef" });
  const [isRedelivering, redelivering] = useDisclosure();
  const onlyUndelivered = show !== undefined;
  const query = trpc.webhooks.deliveries.useQuery(
    { projectRef, endpointRef: endpoint.ref, onlyUndelivered, cursor },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => untilNextTry(state.data?.deliveries ?? [], Date.now()),
    },
  );
  const utils = trpc.useUtils();
  // A delivery that ends can make the endpoint fail or disable it. The data is the same object while the log does not change.
  useEffect(() => {
    if (query.data) void utils.webhooks.list.invalidate();
  }, [query.data, utils]);
  const showState = (value: string) =>
    void navigate({ search: value === "undelivered" ? { show: "undelivered" as const } : {} });
  const closeDelivery = () => void navigate({ search: (now) => ({ ...now, event: undefined }) });
  return (
    <Section
      title={texts.deliveries}
      hint={texts.deliveriesHint}
      aside={
        <Group gap="xs">
          <SegmentedControl
            aria-label={texts.views}
            data={[
              { value: "all", label: texts.all },
              { value: "undelivered", label: texts.undelivered },
            ]}
            value={show ?? "all"}
            onChange={showState}
          />
          {isMember && endpoint.disabledAt === null && (
            <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={redelivering.open}>
              {texts.redeliverSince}
            </Button>
          )}
        </Group>
      }
    >
      <Loaded query={query}>
        {({ deliveries, previousCursor, nextCursor }) =>
          deliveries.length === 0 && cursor === undefined && !query.isPlaceholderData ? (
            <NoDeliveries onlyUndelivered={onlyUndelivered} />
          ) : (
            <DataList
              label={texts.deliveries}
              rows={deliveries}
              rowKey="eventId"
              columns={columnsFor(projectRef)}
              isFetching={query.isPlaceholderData}
              pages={{
                cursor,
                previousCursor,
                nextCursor,
                onCursorChange: (cursor) => void navigate({ search: { show, cursor } }),
              }}
            />
          )
        }
      </Loaded>
      <MountOnOpen opened={event !== undefined}>
        <DeliveryDialog endpoint={endpoint} isMember={isMember} eventId={event} onClose={closeDelivery} />
      </MountOnOpen>
      <MountOnOpen opened={isRedelivering}>
        <RedeliverSince endpoint={endpoint} opened={isRedelivering} onClose={redelivering.close} />
      </MountOnOpen>
    </Section>
  );
}

function NoDeliveries({ onlyUndelivered }: { onlyUndelivered: boolean }) {
  return onlyUndelivered ? (
    <EmptyState title={texts.noneUndelivered} order={2} />
  ) : (
    <EmptyState icon={<IconWebhook size={20} />} title={texts.noDeliveries} hint={texts.noDeliveriesHint} />
  );
}

const columnsFor = (projectRef: string): Column<Delivery>[] => [
  {
    id: "type",
    title: texts.event,
    render: (delivery) => (
      <Stack gap={0}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              from="/projects/$projectRef/webhooks/$endpointRef"
              to="."
              search={(now) => ({ ...now, event: delivery.eventId })}
              {...props}
            />
          )}
        >
          {delivery.type}
        </Anchor>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <RelativeTime at={delivery.at} />
        </Text>
      </Stack>
    ),
  },
  {
    isHiddenOnPhones: true,
    isFlexible: true,
    id: "subject",
    title: texts.subject,
    render: (delivery) => <About projectRef={projectRef} event={delivery} />,
  },
  {
    isHiddenOnPhones: true,
    id: "at",
    title: texts.happened,
    noWrap: true,
    render: ({ at }) => <RelativeTime at={at} />,
  },
  {
    id: "state",
    title: texts.state,
    noWrap: true,
    render: ({ state, nextAttemptAt }) => (
      <>
        <DeliveryState state={state} />
        {nextAttemptAt !== null && (
          <Text size="xs" c="dimmed">
            {texts.nextTry} <RelativeTime at={nextAttemptAt} />
          </Text>
        )}
      </>
    ),
  },
  {
    isHiddenOnPhones: true,
    id: "attempts",
    title: texts.tries,
    textAlign: "right",
    noWrap: true,
    render: ({ attempts }) => attempts,
  },
  {
    id: "lastStatus",
    title: texts.answer,
    textAlign: "right",
    noWrap: true,
    render: ({ lastStatus }) => lastStatus ?? texts.noAnswer,
  },
];
