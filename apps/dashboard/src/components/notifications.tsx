import { useIsMutating } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useState } from "react";

type Props = { position: "bottom-right" };

// If loading fails, no notifications are shown. Throwing would replace the page, which may show an API key for the only time.
const Notifications = lazy(() =>
  import("@mantine/notifications").then(
    ({ Notifications }): { default: ComponentType<Props> } => ({ default: Notifications }),
    () => ({ default: () => null }),
  ),
);

/** Shows notifications. Loads their code with the first mutation, because only mutations show notifications. */
export function LazyNotifications() {
  const isMutating = useIsMutating() > 0;
  const [isNeeded, setNeeded] = useState(isMutating);
  if (isMutating && !isNeeded) setNeeded(true);
  return (
    isNeeded && (
      <Suspense>
        <Notifications position="bottom-right" />
      </Suspense>
    )
  );
}
