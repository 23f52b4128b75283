import { Anchor, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { lazy } from "react";
import { type Column, DataList } from "../../components/data-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { formatBounded } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { Page } from "../../components/page.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Truncated } from "../../components/truncated.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { loadChunk } from "../../load-chunk.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import { DeliveryState, type Endpoint, EndpointState } from "./endpoint-state.js";

// Lazy because its form loads zod and the schemas.
const AddEndpoint = lazy(async () => ({
  default: (await loadChunk(() => import("./add-endpoint.js"))).AddEndpoint,
}));

/** The webhook endpoints of a project. All members see them; only owners add and change them. */
export function WebhooksPage() {
  const projectRef = useProjectRef();
  const project = useProject();
  const endpoints = trpc.webhooks.list.useQuery({ projectRef });
  const [isAdding, adding] = useDisclosure();
  const isOwner = project.data !== undefined && hasRole(project.data.role, "owner");
  const isEmpty = endpoints.data?.length === 0;
  const addButton = isOwner && (
    <Button leftSection={<IconPlus size={16} />} onClick={adding.open}>
      {texts.add}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      hint={project.data && !isOwner ? texts.ownersOnly : texts.hint}
      actions={endpoints.data && !isEmpty && addButton}
    >
      <Loaded query={endpoints}>
        {(endpoints) =>
          isEmpty ? (
            <EmptyState
              icon={<IconWebhook size={20} />}
              title={texts.none}
              hint={texts.noneHint}
              action={addButton}
            />
          ) : (
            <DataList
              label={texts.endpoints}
              rows={endpoints}
              rowKey="ref"
              columns={columnsFor(projectRef)}
            />
          )
        }
      </Loaded>
      <MountOnOpen opened={isAdding}>
        <AddEndpoint opened={isAdding} onClose={adding.close} />
      </MountOnOpen>
    </Page>
  );
}

function columnsFor(projectRef: string): Column<Endpoint>[] {
  return [
    {
      isFlexible: true,
      id: "url",
      title: texts.endpoint,
      render: (endpoint) => <EndpointName projectRef={projectRef} endpoint={endpoint} />,
    },
    {
      isHiddenOnPhones: true,
      id: "events",
      title: texts.events,
      render: ({ events }) => (
        <Text size="sm" miw={180} maw={260} lineClamp={2}>
          {events.join(", ")}
        </Text>
      ),
    },
    {
      id: "state",
      title: texts.state,
      noWrap: true,
      render: (endpoint) => <EndpointState endpoint={endpoint} />,
    },
    {
      isHiddenOnPhones: true,
      id: "lastDelivery",
      title: texts.lastDelivery,
      noWrap: true,
      render: ({ ref }) => <LastDelivery projectRef={projectRef} endpointRef={ref} />,
    },
    {
      isHiddenOnPhones: true,
      id: "undelivered",
      title: texts.undelivered,
      textAlign: "right",
      noWrap: true,
      render: (endpoint) => <Undelivered projectRef={projectRef} endpoint={endpoint} />,
    },
  ];
}

function EndpointName({ projectRef, endpoint }: { projectRef: string; endpoint: Endpoint }) {
  const { ref: endpointRef, url, description } = endpoint;
  return (
    <>
      <Truncated text={url}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/projects/$projectRef/webhooks/$endpointRef"
              params={{ projectRef, endpointRef }}
              {...props}
            />
          )}
        >
          {url}
        </Anchor>
      </Truncated>
      {description !== "" && (
        <Text size="xs" c="dimmed" truncate>
          {description}
        </Text>
      )}
      {endpoint.undelivered.count > 0 && (
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {texts.undeliveredCount(formatBounded(endpoint.undelivered))}
        </Text>
      )}
    </>
  );
}

/** How many events of 30 days did not arrive, with a link to them. */
function Undelivered({ projectRef, endpoint }: { projectRef: string; endpoint: Endpoint }) {
  const { ref: endpointRef, undelivered } = endpoint;
  if (undelivered.count === 0)
    return (
      <Text span size="sm" c="dimmed">
        0
      </Text>
    );
  return (
    <Anchor
      size="sm"
      aria-label={texts.undeliveredOf(formatBounded(undelivered), endpoint.url)}
      renderRoot={(props) => (
        <Link
          to="/projects/$projectRef/webhooks/$endpointRef"
          params={{ projectRef, endpointRef }}
          search={{ show: "undelivered" }}
          {...props}
        />
      )}
    >
      {formatBounded(undelivered)}
    </Anchor>
  );
}

/** The state of the newest event's delivery. A project has few endpoints, and their calls share one request. */
function LastDelivery(which: { projectRef: string; endpointRef: string }) {
  const newest = trpc.webhooks.deliveries.useQuery({ ...which, limit: 1 });
  if (newest.data === undefined) return null;
  const [delivery] = newest.data.deliveries;
  if (delivery === undefined)
    return (
      <Text size="sm" c="dimmed">
        {texts.noDelivery}
      </Text>
    );
  return (
    <Group gap="xs" wrap="nowrap">
      <DeliveryState state={delivery.state} />
      <Text size="sm" c="dimmed">
        <RelativeTime at={delivery.at} />
      </Text>
    </Group>
  );
}
