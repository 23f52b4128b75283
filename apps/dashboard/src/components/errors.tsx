import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuthError } from "../auth-client.js";
import { common } from "../texts/common.js";
import { serviceErrorOf } from "../trpc.js";
import { formatIn } from "./format.js";

/** Returns the message to show for a failed call: the service's own, if the service answered. */
export function errorMessage(error: unknown): string {
  if (error instanceof AuthError) {
    const { code, retryAfterSeconds } = error;
    return code === "too_many_requests" && retryAfterSeconds !== undefined
      ? common.tooManyTries(formatIn(retryAfterSeconds))
      : error.message;
  }
  return serviceErrorOf(error)?.detail ?? common.notReached;
}

/** Shows why a form was not accepted. Shows nothing if there is no error. */
export function FormError({ error, title }: { error: unknown; title?: string | undefined }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" role="alert" title={title}>
      {errorMessage(error)}
    </Alert>
  );
}

/** Shows why data could not be loaded, with a button to try again if `onRetry` is given. */
export function LoadError(props: { error: unknown; isRetrying?: boolean; onRetry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={common.failed} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorMessage(props.error)}</Text>
        <Group gap="xs">
          {serviceErrorOf(props.error)?.code === "invalid_request" && <ResetSearchButton />}
          {props.onRetry && (
            <Button size="xs" variant="default" loading={props.isRetrying ?? false} onClick={props.onRetry}>
              {common.tryAgain}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Removes the search parameters that the service rejected: the cursor if there is one, else all filters. */
function ResetSearchButton() {
  const { cursor, ...filters } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (cursor === undefined && !isFiltered) return null;
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void navigate({ to: ".", search: cursor === undefined ? {} : filters, replace: true })}
    >
      {cursor === undefined ? common.clearFilters : common.firstPage}
    </Button>
  );
}
