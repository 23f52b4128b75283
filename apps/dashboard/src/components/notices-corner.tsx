import { Notifications } from "@mantine/notifications";

/** Where notices appear. */
export function NoticesCorner() {
  return <Notifications position="bottom-right" />;
}
