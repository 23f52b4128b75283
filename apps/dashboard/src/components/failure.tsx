import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { AuthRefusal } from "../auth.js";
import { common } from "../texts/common.js";
import { refusalOf } from "../trpc.js";
import { BeginAgain } from "./begin-again.js";
import { formatIn } from "./format.js";

/** The sentence for a call that failed: the service's own, where it said one. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AuthRefusal) {
    const { code, retryAfterSeconds: seconds } = error;
    return code === "too_many_requests" && seconds ? common.tooManyTries(formatIn(seconds)) : error.message;
  }
  return refusalOf(error)?.detail ?? common.notReached;
}

/** Something could not be loaded or done, with a way to try again where there is one. */
export function Failure(props: { error: unknown; isRetrying?: boolean; onRetry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={common.failed} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{sentenceOf(props.error)}</Text>
        <Group gap="xs">
          {refusalOf(props.error)?.code === "invalid_request" && <BeginAgain />}
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
