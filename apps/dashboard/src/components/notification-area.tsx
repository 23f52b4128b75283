import { Notifications } from "@mantine/notifications";

/** A module of its own because a dynamic import of the whole package would keep the bundler from splitting it. */
export function NotificationArea() {
  return <Notifications position="bottom-right" />;
}
