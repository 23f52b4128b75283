import { Button, Code, Group, Modal, Paper, Stack, Text, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { ConfirmByName } from "../../components/confirm-by-name.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { mayAs, useProject } from "../../components/use-project.js";
import { When } from "../../components/when.js";
import { key as texts } from "../../texts/key.js";
import { type Outputs, trpc } from "../../trpc.js";
import { NewKey, stayingOpen } from "./new-key.js";

/** What may be known of a project's key, and how to replace it. */
export function KeyPage() {
  const project = useProject();
  return (
    <Page title={texts.title} hint={texts.hint}>
      <Loaded query={project}>{(project) => <Key project={project} />}</Loaded>
    </Page>
  );
}

type Project = Outputs["projects"]["read"];

function Key({ project }: { project: Project }) {
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
                  {texts.hidden}
                </Text>
              </Fact>
              <Group gap="xl">
                <Fact label={texts.createdAt}>
                  <When at={createdAt} />
                </Fact>
                <Fact label={texts.lastUsedAt}>
                  {lastUsedAt === null ? texts.notYet : <When at={lastUsedAt} />}
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
  const [isAsked, asking] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const utils = trpc.useUtils();
  const regenerate = trpc.key.regenerate.useMutation({ gcTime: 0, onSuccess: asking.close });
  const mayRegenerate = mayAs(project.role, "owner");
  const forget = async () => {
    // The mutation is the only thing that holds the key.
    regenerate.reset();
    // The dialog before this one had the focus, and is gone.
    button.current?.focus();
    await utils.key.describe.invalidate();
  };
  const close = () => {
    asking.close();
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
          onClick={asking.open}
        >
          {texts.regenerate}
        </Button>
      </Tooltip>
      <ConfirmByName
        title={texts.regenerateTitle}
        warning={texts.regenerateWarning}
        name={project.name}
        action={texts.regenerateAction}
        opened={isAsked}
        isBusy={regenerate.isPending}
        error={regenerate.error}
        onConfirm={(name) => regenerate.mutate({ projectRef: project.ref, name })}
        onClose={close}
      />
      <Modal
        opened={regenerate.data !== undefined}
        onClose={close}
        returnFocus={false}
        title={texts.shownTitle}
        {...stayingOpen}
      >
        {regenerate.data && <NewKey apiKey={regenerate.data.apiKey} onStored={() => void forget()} />}
      </Modal>
    </Group>
  );
}
