import { Button, Code, Group, Modal, Paper, Stack, Text, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { ConfirmByNameDialog } from "../../components/confirm-by-name-dialog.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { RelativeTime } from "../../components/relative-time.js";
import { key as texts } from "../../texts/key.js";
import { type Outputs, trpc } from "../../trpc.js";
import { NewKey, modalStaysOpen } from "./new-key.js";

/** The first and last characters of a project's API key, and its regeneration. */
export function KeyPage() {
  const project = useProject();
  return (
    <Page title={texts.title} hint={texts.hint} width="form">
      <Loaded query={project}>{(project) => <KeyDetails project={project} />}</Loaded>
    </Page>
  );
}

type Project = Outputs["projects"]["read"];

function KeyDetails({ project }: { project: Project }) {
  const described = trpc.key.describe.useQuery({ projectRef: project.ref });
  return (
    <Stack gap="lg">
      <Paper withBorder p="lg">
        <Loaded query={described}>
          {({ start, last4, createdAt, lastUsedAt }) => (
            <Stack gap="md">
              <Fact label={texts.key}>
                <Code fz="md">
                  {start}…{last4}
                </Code>{" "}
                <Text span c="dimmed" size="sm">
                  {texts.hiddenPart}
                </Text>
              </Fact>
              <Group gap="xl">
                <Fact label={texts.createdAt}>
                  <RelativeTime at={createdAt} />
                </Fact>
                <Fact label={texts.lastUsedAt}>
                  {lastUsedAt === null ? texts.neverUsed : <RelativeTime at={lastUsedAt} />}
                </Fact>
              </Group>
            </Stack>
          )}
        </Loaded>
      </Paper>
      <Paper withBorder p="lg">
        <Regenerate project={project} />
      </Paper>
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="div">{children}</Text>
    </div>
  );
}

function Regenerate({ project }: { project: Project }) {
  const [isConfirming, confirmation] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const utils = trpc.useUtils();
  const regenerate = trpc.key.regenerate.useMutation({ gcTime: 0, onSuccess: confirmation.close });
  const mayRegenerate = hasRole(project.role, "owner");
  const forgetKey = async () => {
    // The mutation is the only place that holds the key.
    regenerate.reset();
    // The confirmation dialog is gone, so the focus cannot return to it.
    button.current?.focus();
    await utils.key.describe.invalidate();
  };
  const close = () => {
    confirmation.close();
    regenerate.reset();
  };
  return (
    <Group justify="space-between" gap="md">
      <Stack gap={4} flex={1} miw={240}>
        <Title order={2} size="h4">
          {texts.regenerate}
        </Title>
        <Text c="dimmed" size="sm">
          {mayRegenerate ? texts.regenerateHint : texts.ownersOnly}
        </Text>
      </Stack>
      <Tooltip label={texts.ownersOnly} disabled={mayRegenerate}>
        <Button
          ref={button}
          color="red"
          variant="outline"
          leftSection={<IconRefresh size={16} />}
          disabled={!mayRegenerate}
          onClick={confirmation.open}
        >
          {texts.regenerate}
        </Button>
      </Tooltip>
      <ConfirmByNameDialog
        title={texts.regenerateTitle}
        warning={texts.regenerateWarning}
        name={project.name}
        action={texts.regenerateAction}
        opened={isConfirming}
        isBusy={regenerate.isPending}
        error={regenerate.error}
        onConfirm={(name) => regenerate.mutate({ projectRef: project.ref, name })}
        onClose={close}
      />
      <Modal
        opened={regenerate.data !== undefined}
        onClose={close}
        returnFocus={false}
        title={texts.newKeyTitle}
        {...modalStaysOpen}
      >
        {regenerate.data && <NewKey apiKey={regenerate.data.apiKey} onSaved={() => void forgetKey()} />}
      </Modal>
    </Group>
  );
}
