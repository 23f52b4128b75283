import { type ComponentType, lazy } from "react";

/**
 * Loads a chart when it is first shown, because the chart library is larger than all pages together. Falls back to the table if
 * loading fails, for example offline.
 */
export function lazyChart<Props>(load: () => Promise<ComponentType<Props>>, Table: ComponentType<Props>) {
  return lazy(() =>
    load().then(
      (Chart) => ({ default: Chart }),
      () => ({ default: Table }),
    ),
  );
}
