import { Grid, Skeleton, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { useProjectRef } from "../../components/use-project.js";
import { overview as texts } from "../../components/overview-texts.js";
import { quickstart } from "./quickstart/quickstart-texts.js";
import { trpc } from "../../trpc.js";
import { LargestTenants } from "./largest-tenants.js";
import { Totals } from "./totals.js";
import { RejectedRequests } from "./rejected-requests.js";
import { DEFAULT_DAYS, Usage } from "./usage.js";
import { REFRESH_MS, useLiveUploads } from "./use-live-uploads.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because only new projects show it.
const Quickstart = lazy(async () => ({
  default: (await loadChunk(() => import("./quickstart/quickstart.js"))).Quickstart,
}));

// Lazy because it is below the first screen.
const NewestUploads = lazy(async () => ({
  default: (await loadChunk(() => import("./newest-uploads.js"))).NewestUploads,
}));

const route = getRouteApi("/signed-in/projects/$projectRef/");

/** Totals, usage and newest uploads of a project. A project that never had a file shows the quickstart instead. */
export function OverviewPage() {
  const projectRef = useProjectRef();
  const { days = DEFAULT_DAYS } = route.useSearch();
  const query = trpc.overview.read.useQuery({ projectRef }, { refetchInterval: REFRESH_MS });
  const isLive = useLiveUploads(projectRef);
  return (
    <Page title={texts.title}>
      <Loaded query={query}>
        {(overview) =>
          overview.hasFiles ? (
            <Stack gap="xl">
              <Totals projectRef={projectRef} overview={overview} />
              <Usage projectRef={projectRef} days={days} usedBytes={overview.usedBytes} />
              <Grid gap="xl">
                <Grid.Col span={{ base: 12, lg: 8 }}>
                  <Suspense fallback={<Skeleton height={400} />}>
                    <NewestUploads projectRef={projectRef} isLive={isLive} />
                  </Suspense>
                </Grid.Col>
                <Grid.Col span={{ base: 12, lg: 4 }}>
                  <LargestTenants projectRef={projectRef} />
                  <RejectedRequests projectRef={projectRef} days={days} />
                </Grid.Col>
              </Grid>
            </Stack>
          ) : (
            <Stack gap="md">
              <Text size="sm">{quickstart.noFilesYet}</Text>
              <Suspense fallback={<Skeleton height={320} />}>
                <Quickstart projectRef={projectRef} onUploaded={() => void query.refetch()} />
              </Suspense>
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
