import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { common } from "../texts/common.js";
import { Failure } from "./failure.js";

/** As much of a query as is looked at here. */
export interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** What a query has brought; until then its skeleton, and in place of it what went wrong with a way to try again. */
export function Loaded<Data>(props: {
  query: Loadable<Data>;
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = props.query;
  if (data !== undefined) return props.children(data);
  if (error !== null && error !== undefined)
    return <Failure error={error} isRetrying={isFetching} onRetry={() => void refetch()} />;
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
