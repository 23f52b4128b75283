import { Notifications } from "@mantine/notifications";

/** A separate module, because a dynamic import of the whole package would keep the bundler from splitting it. */
export function NotificationArea() {
  return <Notifications position="bottom-right" />;
}
