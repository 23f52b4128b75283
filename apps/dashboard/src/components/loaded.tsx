import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { common } from "../texts/common.js";
import { LoadError } from "./errors.js";

/** The part of a query's result that {@link Loaded} uses. */
export interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Renders a query's data, or a skeleton while it loads, or its error with a retry button. */
export function Loaded<Data>(props: {
  query: Loadable<Data>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = props.query;
  if (data !== undefined) return props.children(data);
  if (error !== null && error !== undefined)
    return <LoadError error={error} isRetrying={isFetching} onRetry={() => void refetch()} />;
  return (
    <div role="status">
      <VisuallyHidden>{common.loading}</VisuallyHidden>
      {props.skeleton ?? (
        <Stack gap="sm" aria-hidden>
          <Skeleton height={28} width="40%" />
          <Skeleton height={160} />
        </Stack>
      )}
    </div>
  );
}
