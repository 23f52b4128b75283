import { type ComponentType, lazy } from "react";

/**
 * A chart that comes when it is shown: the charts' library is larger than all pages together. Where it cannot be loaded, such as
 * offline, the table stands in its place.
 */
export function lazyChart<Props>(load: () => Promise<ComponentType<Props>>, Table: ComponentType<Props>) {
  return lazy(() =>
    load().then(
      (Chart) => ({ default: Chart }),
      () => ({ default: Table }),
    ),
  );
}
