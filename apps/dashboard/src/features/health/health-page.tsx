import { Alert, Stack } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { errorMessage } from "../../components/errors.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { RelativeTime } from "../../components/relative-time.js";
import { health as texts } from "./health-texts.js";
import { trpc } from "../../trpc.js";
import { Lanes } from "./lanes.js";
import { Parts } from "./parts.js";
import { Replicas } from "./replicas.js";
import { DEFAULT_HOURS, Requests } from "./requests.js";

const REFRESH_MS = 10_000;
const route = getRouteApi("/signed-in/health");

/** The health of the installation, for its administrators. */
export function HealthPage() {
  const me = trpc.session.me.useQuery();
  if (me.data && !me.data.isAdmin) {
    return (
      <Page title={texts.installation}>
        <Alert color="gray" icon={<IconLock />}>
          {texts.adminsOnly}
        </Alert>
      </Page>
    );
  }
  return <InstallationHealth />;
}

function InstallationHealth() {
  const { hours = DEFAULT_HOURS } = route.useSearch();
  const query = trpc.health.read.useQuery(undefined, { refetchInterval: REFRESH_MS });
  const { data, error } = query;
  return (
    <Page
      title={texts.installation}
      hint={
        data && (
          <>
            {texts.version(data.version)} · {texts.checked} <RelativeTime at={data.checkedAt} />
          </>
        )
      }
    >
      <Loaded query={query}>
        {(health) => (
          <Stack gap="lg">
            {error && (
              <Alert color="yellow" role="alert">
                {texts.stale(errorMessage(error))}
              </Alert>
            )}
            <Parts health={health} isStale={error !== null} />
            <Requests hours={hours} />
            <Replicas health={health} />
            <Lanes health={health} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
