import { Center } from "@mantine/core";
import { EmptyState } from "../components/empty-state.js";
import { Loading } from "../components/loaded.js";
import { TryNowButton } from "../components/outage.js";
import { useServiceStatus } from "../service.js";
import { outage } from "../components/outage-texts.js";

/** Shown while the code of a page loads. It cannot load while the browser is offline, and continues afterwards. */
export function PendingPage() {
  const { state } = useServiceStatus();
  if (state !== "offline" && state !== "unreachable") return <Loading />;
  const isOffline = state === "offline";
  return (
    <Center p="xl">
      <EmptyState
        order={1}
        title={isOffline ? outage.offlineTitle : outage.unreachable}
        hint={isOffline ? outage.pageOpensOnline : outage.pageOpens}
        action={!isOffline && <TryNowButton />}
      />
    </Center>
  );
}
