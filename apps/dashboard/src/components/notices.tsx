import { useIsMutating } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useState } from "react";

/** Where it cannot be loaded there are no notices: to throw would take the whole page along, and a key that is shown once. */
const NoticesCorner = lazy(() =>
  import("./notices-corner.js").then(
    ({ NoticesCorner }): { default: ComponentType } => ({ default: NoticesCorner }),
    () => ({ default: () => null }),
  ),
);

/** Short sentences in the corner about what was done. Each follows a change, so what draws them comes with the first change. */
export function Notices() {
  const isChanging = useIsMutating() > 0;
  const [isNeeded, setNeeded] = useState(isChanging);
  if (isChanging && !isNeeded) setNeeded(true);
  return (
    isNeeded && (
      <Suspense>
        <NoticesCorner />
      </Suspense>
    )
  );
}
