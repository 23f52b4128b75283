import { Alert } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconWifiOff } from "@tabler/icons-react";
import { common } from "../texts/common.js";

/** Warns that the browser is offline. */
export function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {online ? null : (
        <Alert color="yellow" icon={<IconWifiOff />} mb="md">
          {common.offline}
        </Alert>
      )}
    </div>
  );
}
