import { Alert, Button, Group, Text } from "@mantine/core";
import { IconPlugConnectedX, IconWifiOff } from "@tabler/icons-react";
import { serviceStatus, useServiceStatus } from "../service.js";
import type { ServiceStatus } from "../service-status.js";
import { outage } from "./outage-texts.js";

/** Says what does not work at the moment. Null while the service answers. */
export function outageSentence(status: ServiceStatus): string | null {
  switch (status.state) {
    case "answering":
    case "checking":
      return null;
    case "offline":
      return outage.offline;
    case "unreachable":
      return outage.unreachable;
    case "failing":
      return status.problem ?? outage.failing;
  }
}

/** Says above the content what does not work at the moment, and that the pages update by themselves. */
export function OutageBanner() {
  const status = useServiceStatus();
  const sentence = outageSentence(status);
  const isOffline = status.state === "offline";
  return (
    // The region exists before its text, so that screen readers announce the text.
    <div role="status">
      {sentence !== null && (
        <Alert
          color="yellow"
          icon={isOffline ? <IconWifiOff /> : <IconPlugConnectedX />}
          title={sentence}
          mb="md"
        >
          <Group justify="space-between" gap="xs">
            <Text size="sm">{isOffline ? outage.keepsDataOffline : outage.keepsData}</Text>
            {!isOffline && <TryNowButton />}
          </Group>
        </Alert>
      )}
    </div>
  );
}

export function TryNowButton() {
  return (
    <Button size="xs" variant="default" onClick={serviceStatus.checkNow}>
      {outage.tryNow}
    </Button>
  );
}
