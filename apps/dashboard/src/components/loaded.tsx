import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./loaded.module.css";
import { common } from "./common-texts.js";
import { LoadError, NotLoaded } from "./errors.js";

/** The part of a query's result that {@link Loaded} uses. */
export interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  /** Waits for the browser's network. */
  isPaused?: boolean;
  refetch: () => unknown;
}

/** Renders a query's data, or a skeleton while it loads, or its error with a retry button. */
export function Loaded<Data>(props: {
  query: Loadable<Data>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, isPaused, refetch } = props.query;
  if (data !== undefined) return props.children(data);
  if (error !== null && error !== undefined)
    return <LoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />;
  if (isPaused) return <NotLoaded />;
  return <Loading skeleton={props.skeleton} />;
}

/** Announces that something loads, and shows its outline. */
export function Loading({ skeleton }: { skeleton?: ReactNode }) {
  return (
    <div role="status">
      <VisuallyHidden>{common.loading}</VisuallyHidden>
      {skeleton ?? (
        <Stack gap={0} aria-hidden className={styles["rows"] ?? ""}>
          {["38%", "52%", "44%", "61%", "35%", "48%"].map((width) => (
            <Skeleton key={width} height={10} width={width} />
          ))}
        </Stack>
      )}
    </div>
  );
}
