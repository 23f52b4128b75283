import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { AuthError } from "../auth-client.js";
import { hasChangedNothing, isOutage } from "../call-errors.js";
import { serviceStatus, useServiceStatus } from "../service.js";
import { common } from "./common-texts.js";
import { outage } from "./outage-texts.js";
import { serviceErrorOf } from "../trpc.js";
import { formatIn } from "./format.js";
import { outageSentence } from "./outage.js";

/**
 * Returns the message to show for a failed call: the service's own, if the service answered.
 *
 * @param consequence what an outage means for the call @default whether the call may have changed something
 */
export function errorMessage(error: unknown, consequence?: string): string {
  if (isOutage(error)) {
    const sentence = outageSentence(serviceStatus.get()) ?? outage.failing;
    const change = hasChangedNothing(error) ? outage.nothingChanged : outage.isChangeUnknown;
    return `${sentence} ${consequence ?? change}`;
  }
  if (error instanceof AuthError) {
    const { code, retryAfterSeconds } = error;
    return code === "too_many_requests" && retryAfterSeconds !== undefined
      ? common.tooManyTries(formatIn(retryAfterSeconds))
      : error.message;
  }
  return serviceErrorOf(error)?.detail ?? outage.failing;
}

/** Shows why a form was not accepted. Shows nothing if there is no error. */
export function FormError(props: {
  error: unknown;
  title?: string | undefined;
  /** See {@link errorMessage}. */
  consequence?: string;
}) {
  const { error, title, consequence } = props;
  // Shows the cause of an outage as soon as it is known.
  useServiceStatus();
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" role="alert" title={title}>
      {errorMessage(error, consequence)}
    </Alert>
  );
}

/**
 * Shows why data could not be loaded, with a button to try again if `onRetry` is given. After an outage it tries again by itself when
 * the service answers.
 */
export function LoadError(props: { error: unknown; isRetrying?: boolean; onRetry?: () => void }) {
  const isWaiting = isOutage(props.error);
  const { state } = useServiceStatus();
  const retry = useEffectEvent(() => {
    if (isWaiting && !props.isRetrying) props.onRetry?.();
  });
  const wasAnswering = useRef(state === "answering");
  useEffect(() => {
    if (state === "answering" && !wasAnswering.current) retry();
    wasAnswering.current = state === "answering";
  }, [state]);
  if (isWaiting) return <NotLoaded />;
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

/** Stands for data that loads when the service answers. The page says elsewhere what is down. */
export function NotLoaded() {
  const { state } = useServiceStatus();
  return (
    <Text size="sm" c="dimmed">
      {state === "offline" ? outage.loadsOnline : outage.loadsLater}
    </Text>
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
