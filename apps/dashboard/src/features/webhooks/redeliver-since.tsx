import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/errors.js";
import { useProjectRef } from "../../components/use-project.js";
import { common } from "../../components/common-texts.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import type { Endpoint } from "./endpoint-state.js";

/** Sends all events since a time again. The service takes a thousand per call, so closing the dialog stops after the current call. */
export function RedeliverSince(props: { endpoint: Endpoint; opened: boolean; onClose: () => void }) {
  const { endpoint, opened, onClose } = props;
  const [since, setSince] = useState(() => localTime(Date.now() - DAY_MS));
  const [isInvalid, setInvalid] = useState(false);
  const redelivery = useRedelivery(endpoint, onClose);
  const close = () => {
    redelivery.stop();
    onClose();
  };
  const submit = () => {
    const time = Date.parse(since);
    const isPast = time < Date.now();
    setInvalid(!isPast);
    if (isPast) void redelivery.start(new Date(time).toISOString());
  };
  return (
    <Dialog opened={opened} onClose={close} title={texts.redeliverTitle}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          <Text size="sm">{texts.redeliverHint}</Text>
          <FormError error={redelivery.error} />
          <TextInput
            type="datetime-local"
            label={texts.since}
            description={texts.sinceHint}
            error={isInvalid && texts.sinceInvalid}
            value={since}
            required
            data-autofocus
            onChange={(event) => setSince(event.currentTarget.value)}
          />
          <Text size="sm" role="status">
            {redelivery.count !== null && texts.redeliveredSoFar(redelivery.count)}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={redelivery.count !== null}>
              {texts.redeliverAction}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The value of an `<input type="datetime-local">`: the time of this time zone, to the minute. */
function localTime(timeMs: number): string {
  const offsetMs = new Date(timeMs).getTimezoneOffset() * 60_000;
  return new Date(timeMs - offsetMs).toISOString().slice(0, 16);
}

/** Calls the service until it has no more events. */
function useRedelivery({ ref: endpointRef }: Endpoint, onDone: () => void) {
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const { mutateAsync, error } = trpc.webhooks.redeliverSince.useMutation();
  const [count, setCount] = useState<number | null>(null);
  const isStopped = useRef(false);
  const start = async (since: string) => {
    isStopped.current = false;
    let total = 0;
    let after: string | null = null;
    setCount(0);
    try {
      do {
        const batch = await mutateAsync({ projectRef, endpointRef, since, ...(after && { after }) });
        total += batch.redelivered;
        after = batch.next;
        setCount(total);
      } while (after !== null && !isStopped.current);
      notifications.show({ message: texts.redeliveredMany(total) });
      onDone();
    } catch {
      // The form shows the mutation's error.
    } finally {
      setCount(null);
      void utils.webhooks.invalidate();
    }
  };
  return { start, stop: () => (isStopped.current = true), count, error };
}
