import { useIsMutating } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";

const NoticesCorner = lazy(async () => ({ default: (await import("./notices-corner.js")).NoticesCorner }));

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
