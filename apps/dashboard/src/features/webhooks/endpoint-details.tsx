import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { lazy } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { FormError } from "../../components/errors.js";
import { CopyableCode, Fact, Facts } from "../../components/facts.js";
import { formatDateTime } from "../../components/format.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { RelativeTime } from "../../components/relative-time.js";
import { useProjectRef } from "../../components/use-project.js";
import { loadChunk } from "../../load-chunk.js";
import { webhooks as texts } from "./webhooks-texts.js";
import { trpc } from "../../trpc.js";
import { type Endpoint, EndpointState } from "./endpoint-state.js";

const RotateSecret = lazy(async () => ({
  default: (await loadChunk(() => import("./rotate-secret.js"))).RotateSecret,
}));

/** Where an endpoint's events go, which ones, and whether they arrive. Owners enable and disable it and rotate its secret. */
export function EndpointDetails({ endpoint, isOwner }: { endpoint: Endpoint; isOwner: boolean }) {
  return (
    <Stack>
      {endpoint.disabledAt !== null && <Disabled endpoint={endpoint} isOwner={isOwner} />}
      <Facts>
        <Fact name={texts.url}>
          <CopyableCode value={endpoint.url} what={texts.url} />
        </Fact>
        <Fact name={texts.events}>{endpoint.events.join(", ")}</Fact>
        <Fact name={texts.state}>
          <Group justify="space-between" gap="xs">
            <div>
              <EndpointState endpoint={endpoint} />
              <StateNote endpoint={endpoint} />
            </div>
            {isOwner && endpoint.disabledAt === null && <DisableButton endpoint={endpoint} />}
          </Group>
        </Fact>
        <Fact name={texts.secret}>
          <Group justify="space-between" gap="xs">
            <div>
              {texts.secretHidden}
              {endpoint.previousSecretEndsAt !== null && (
                <Text size="sm" c="dimmed">
                  {texts.overlapUntil} {formatDateTime(endpoint.previousSecretEndsAt)}
                </Text>
              )}
            </div>
            {isOwner && <RotateButton endpoint={endpoint} />}
          </Group>
        </Fact>
        <Fact name={texts.created}>
          {formatDateTime(endpoint.createdAt)} (<RelativeTime at={endpoint.createdAt} />)
        </Fact>
      </Facts>
    </Stack>
  );
}

function StateNote({ endpoint }: { endpoint: Endpoint }) {
  const { disabledAt, failingSince } = endpoint;
  const since = disabledAt ?? failingSince;
  if (since === null) return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {disabledAt === null ? texts.failingSince : texts.disabledSince} {formatDateTime(since)}
    </Text>
  );
}

/** Says why nothing is sent, with a button that ends it. */
function Disabled({ endpoint, isOwner }: { endpoint: Endpoint; isOwner: boolean }) {
  const projectRef = useProjectRef();
  const change = useSwitch(texts.isEnabled);
  const { disabledReason } = endpoint;
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle />}
      title={[texts.disabled, disabledReason && texts.disabledReasons[disabledReason]]
        .filter(Boolean)
        .join(": ")}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{texts.disabledHint}</Text>
        <FormError error={change.error} />
        {isOwner && (
          <Button
            size="xs"
            loading={change.isPending}
            onClick={() => change.mutate({ projectRef, endpointRef: endpoint.ref, isEnabled: true })}
          >
            {texts.enable}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function DisableButton({ endpoint }: { endpoint: Endpoint }) {
  const projectRef = useProjectRef();
  const [isOpen, dialog] = useDisclosure();
  const change = useSwitch(texts.isDisabled, dialog.close);
  const close = () => {
    change.reset();
    dialog.close();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {texts.disable}
      </Button>
      <ConfirmDialog
        title={texts.disableTitle}
        action={texts.disable}
        opened={isOpen}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate({ projectRef, endpointRef: endpoint.ref, isEnabled: false })}
        onClose={close}
      >
        <Text size="sm">{texts.disableHint}</Text>
      </ConfirmDialog>
    </>
  );
}

function useSwitch(message: string, onDone?: () => void) {
  const utils = trpc.useUtils();
  return trpc.webhooks.change.useMutation({
    onSuccess: async () => {
      notifications.show({ message });
      onDone?.();
      await utils.webhooks.invalidate();
    },
  });
}

function RotateButton({ endpoint }: { endpoint: Endpoint }) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {texts.rotate}
      </Button>
      <MountOnOpen opened={isOpen}>
        <RotateSecret endpoint={endpoint} opened={isOpen} onClose={dialog.close} />
      </MountOnOpen>
    </>
  );
}
