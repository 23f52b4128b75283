import { useIsMutating } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useState } from "react";

// If loading fails, no notifications are shown. Throwing would replace the page, which may show an API key for the only time.
const NotificationArea = lazy(() =>
  import("./notification-area.js").then(
    ({ NotificationArea }): { default: ComponentType } => ({ default: NotificationArea }),
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
        <NotificationArea />
      </Suspense>
    )
  );
}
