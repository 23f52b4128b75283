import { Anchor, Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { EmptyState } from "../../components/empty-state.js";
import { Loaded, Loading } from "../../components/loaded.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { Page } from "../../components/page.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { loadChunk } from "../../load-chunk.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import { EndpointDetails } from "./endpoint-details.js";
import type { Endpoint } from "./endpoint-state.js";
import { SendTest } from "./send-test.js";

// Lazy because tables are large, and the settings can be read before the log is there.
const Deliveries = lazy(async () => ({
  default: (await loadChunk(() => import("./deliveries.js"))).Deliveries,
}));
// Lazy because its form loads zod and the schemas.
const ChangeEndpoint = lazy(async () => ({
  default: (await loadChunk(() => import("./change-endpoint.js"))).ChangeEndpoint,
}));
const DeleteEndpoint = lazy(async () => ({
  default: (await loadChunk(() => import("./delete-endpoint.js"))).DeleteEndpoint,
}));

/** The page of one endpoint: its settings and its log of deliveries. */
export function EndpointPage() {
  const { projectRef, endpointRef } = useParams({
    from: "/signed-in/projects/$projectRef/webhooks/$endpointRef",
  });
  const { data: project } = useProject();
  const endpoints = trpc.webhooks.list.useQuery({ projectRef });
  const endpoint = endpoints.data?.find(({ ref }) => ref === endpointRef);
  const isOwner = project !== undefined && hasRole(project.role, "owner");
  const isMember = project !== undefined && hasRole(project.role, "member");
  return (
    <Page
      title={endpoint ? titleOf(endpoint) : texts.endpoint}
      back={
        <Anchor
          renderRoot={(props) => (
            <Link to="/projects/$projectRef/webhooks" params={{ projectRef }} {...props} />
          )}
        >
          {texts.back}
        </Anchor>
      }
      actions={
        endpoint && (
          <>
            {isMember && <SendTest endpoint={endpoint} />}
            {isOwner && <OwnersActions endpoint={endpoint} />}
          </>
        )
      }
    >
      <Loaded query={endpoints}>
        {() =>
          endpoint ? (
            <Stack gap="xl">
              <EndpointDetails endpoint={endpoint} isOwner={isOwner} />
              <Suspense fallback={<Loading />}>
                <Deliveries endpoint={endpoint} isMember={isMember} />
              </Suspense>
            </Stack>
          ) : (
            <EmptyState title={texts.notFound} hint={texts.notFoundHint} />
          )
        }
      </Loaded>
    </Page>
  );
}

function titleOf({ description, url }: Endpoint): string {
  return description === "" ? new URL(url).host : description;
}

function OwnersActions({ endpoint }: { endpoint: Endpoint }) {
  const [isChanging, changing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={changing.open}>
        {texts.change}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={deleting.open}>
        {texts.delete}
      </Button>
      <MountOnOpen opened={isChanging}>
        {/* The key makes the form begin with the current values. A new state of the endpoint must not discard what was typed. */}
        <ChangeEndpoint
          key={[endpoint.url, endpoint.description, ...endpoint.events].join("\n")}
          endpoint={endpoint}
          opened={isChanging}
          onClose={changing.close}
        />
      </MountOnOpen>
      <MountOnOpen opened={isDeleting}>
        <DeleteEndpoint endpoint={endpoint} opened={isDeleting} onClose={deleting.close} />
      </MountOnOpen>
    </>
  );
}
