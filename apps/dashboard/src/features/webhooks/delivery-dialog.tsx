import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconRefresh } from "@tabler/icons-react";
import { useEffect } from "react";
import { CodeBlock } from "../../components/code-block.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/errors.js";
import { CopyableCode, Fact, Facts } from "../../components/facts.js";
import { formatDateTime, formatMs, toSentence } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { RelativeTime } from "../../components/relative-time.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { useProjectRef } from "../../components/use-project.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { About } from "./about.js";
import { DeliveryState, type Endpoint } from "./endpoint-state.js";
import { untilNextTry } from "./next-try.js";

/** A delivery with its request and the answer to each try. It stays up to date while tries are left. */
export function DeliveryDialog(props: {
  endpoint: Endpoint;
  isMember: boolean;
  /** Undefined if no delivery is open. */
  eventId: string | undefined;
  onClose: () => void;
}) {
  const { endpoint, isMember, eventId, onClose } = props;
  const projectRef = useProjectRef();
  const delivery = trpc.webhooks.readDelivery.useQuery(
    { projectRef, endpointRef: endpoint.ref, eventId: eventId ?? "" },
    {
      enabled: eventId !== undefined,
      refetchInterval: ({ state }) => untilNextTry(state.data ? [state.data] : [], Date.now()),
    },
  );
  const utils = trpc.useUtils();
  // The log shows a new try too. The data is the same object while the delivery does not change.
  useEffect(() => {
    if (delivery.data) void utils.webhooks.deliveries.invalidate();
  }, [delivery.data, utils]);
  return (
    <Dialog opened={eventId !== undefined} onClose={onClose} title={texts.delivery} size="xl">
      <Loaded query={delivery}>
        {(delivery) => (
          <Stack>
            <Outcome delivery={delivery} />
            {isMember && endpoint.disabledAt === null && delivery.state !== "pending" && (
              <Redeliver endpointRef={endpoint.ref} eventId={delivery.eventId} />
            )}
            <Tries title={texts.lastTry} tries={delivery.tries.slice(0, 1)} />
            <CodeBlock label={texts.body} code={indented(delivery.request.body)} maxHeight={320} />
            {delivery.tries.length > 1 && (
              <Tries title={texts.earlierTries} tries={delivery.tries.slice(1)} />
            )}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}

type Details = Outputs["webhooks"]["readDelivery"];

function Outcome({ delivery }: { delivery: Details }) {
  const { type, at, state, nextAttemptAt, request } = delivery;
  const projectRef = useProjectRef();
  return (
    <Facts>
      <Fact name={texts.event}>{type}</Fact>
      {delivery.tenantId !== null && (
        <Fact name={texts.subject}>
          <About projectRef={projectRef} event={delivery} />
        </Fact>
      )}
      <Fact name={texts.happened}>
        {formatDateTime(at)} (<RelativeTime at={at} />)
      </Fact>
      <Fact name={texts.state}>
        {/* The state changes while the dialog is open. */}
        <div role="status">
          <DeliveryState state={state} />
          <Text size="sm" c="dimmed" mt={4}>
            {texts.meaning[state]}
          </Text>
        </div>
        {nextAttemptAt !== null && (
          <Text size="sm" c="dimmed">
            {texts.nextTry} <RelativeTime at={nextAttemptAt} />
          </Text>
        )}
      </Fact>
      <Fact name="webhook-id">
        <CopyableCode value={request.webhookId} what="webhook-id" />
      </Fact>
    </Facts>
  );
}

function Redeliver(which: { endpointRef: string; eventId: string }) {
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const redeliver = trpc.webhooks.redeliver.useMutation({
    onSuccess: async () => {
      notifications.show({ message: texts.redelivered });
      await utils.webhooks.invalidate();
    },
  });
  return (
    <>
      <FormError error={redeliver.error} />
      <Button
        variant="default"
        style={{ alignSelf: "flex-start" }}
        leftSection={<IconRefresh size={16} />}
        loading={redeliver.isPending}
        onClick={() => redeliver.mutate({ projectRef, ...which })}
      >
        {texts.redeliver}
      </Button>
    </>
  );
}

/** @param tries newest first */
function Tries({ title, tries }: { title: string; tries: Details["tries"] }) {
  if (tries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.noTries}
      </Text>
    );
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Stack gap="xs" component="ol" p={0} m={0} aria-label={title} style={{ listStyle: "none" }}>
        {tries.map((one) => (
          <Stack component="li" gap={4} key={one.at}>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {one.status === null ? texts.noAnswer : texts.status(one.status)}
              </Text>
              <Text size="sm" c="dimmed">
                {formatDateTime(one.at)} {texts.took(formatMs(one.durationMs))}
              </Text>
            </Group>
            {one.status === null && one.error !== null && (
              <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                {toSentence(one.error)}
              </Text>
            )}
            {one.answer !== null && one.answer !== "" && (
              <CodeBlock
                label={texts.answerText}
                code={one.answer.split("\n").map(replaceControlCharacters).join("\n")}
                maxHeight={160}
              />
            )}
          </Stack>
        ))}
      </Stack>
    </Stack>
  );
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
