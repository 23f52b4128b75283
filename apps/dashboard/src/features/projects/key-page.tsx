import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ConfirmByNameDialog } from "../../components/confirm-by-name-dialog.js";
import { Dialog } from "../../components/dialog.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { Section } from "../../components/section.js";
import { ShownOnce, modalStaysOpen } from "../../components/shown-once.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { RelativeTime } from "../../components/relative-time.js";
import { key as texts } from "./key-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

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
      <Section title={texts.key} isForm>
        <Loaded query={described}>
          {({ start, last4, createdAt, lastUsedAt }) => (
            <Stack gap="md">
              <Group gap="xs">
                <Code fz="sm" px="sm" py={6}>
                  {start}…{last4}
                </Code>
                <Text span c="dimmed" size="sm">
                  {texts.hiddenPart}
                </Text>
              </Group>
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
      </Section>
      <Regenerate project={project} />
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
  const utils = trpc.useUtils();
  const regenerate = trpc.key.regenerate.useMutation({ gcTime: 0, onSuccess: confirmation.close });
  const mayRegenerate = hasRole(project.role, "owner");
  const forgetKey = async () => {
    // The mutation is the only place that holds the key.
    regenerate.reset();
    await utils.key.describe.invalidate();
  };
  const close = () => {
    confirmation.close();
    regenerate.reset();
  };
  return (
    <Section title={texts.regenerate} hint={mayRegenerate ? texts.regenerateHint : texts.ownersOnly} isForm>
      <Button
        style={{ alignSelf: "flex-start" }}
        color="red"
        variant="outline"
        leftSection={<IconRefresh size={16} />}
        disabled={!mayRegenerate}
        onClick={confirmation.open}
      >
        {texts.regenerate}
      </Button>
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
      {/* Unmounted as soon as the key is saved: effects of the dialog's first render would keep the key in memory. */}
      {regenerate.data && (
        <Dialog opened onClose={close} title={texts.newKeyTitle} {...modalStaysOpen}>
          <ShownOnce value={regenerate.data.apiKey} texts={texts} onSaved={() => void forgetKey()} />
        </Dialog>
      )}
    </Section>
  );
}
