import { Anchor, Button, Group, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { errorMessage } from "../../components/errors.js";
import { LifecycleNote } from "../../components/files/file-status.js";
import { files } from "../../components/files/files-texts.js";
import { formatBytes, formatDateTime } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { replaceControlCharacters, UntrustedText } from "../../components/untrusted-text.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { type Outputs, trpc } from "../../trpc.js";
import { fileVersions as texts } from "./file-versions-texts.js";

type Version = Outputs["files"]["versions"][number];

interface Current {
  projectRef: string;
  fileId: number;
  filePath: string;
}

/** The versions of a stored file, the last one that was replaced first. Members restore them. */
export function FileVersions(current: Current) {
  const { projectRef, fileId } = current;
  const { data: project } = useProject();
  const query = trpc.files.versions.useQuery({ projectRef, fileId });
  const isMember = project !== undefined && hasRole(project.role, "member");
  return (
    <Section title={texts.title} hint={texts.hint}>
      <Loaded query={query}>
        {(versions) =>
          versions.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.none}
            </Text>
          ) : (
            <VersionTable current={current} versions={versions} isMember={isMember} />
          )
        }
      </Loaded>
    </Section>
  );
}

function VersionTable(props: { current: Current; versions: Version[]; isMember: boolean }) {
  const { current, versions, isMember } = props;
  const { projectRef, filePath } = current;
  const [restoring, setRestoring] = useState<Version>();
  const utils = trpc.useUtils();
  const download = trpc.files.versionLink.useMutation({
    // The URL answers with Content-Disposition: attachment, so the browser stays on this page.
    onSuccess: ({ downloadUrl }) => location.assign(downloadUrl),
    onError: (error) => {
      notifications.show({ message: errorMessage(error), color: "red" });
      void utils.files.invalidate();
    },
  });
  return (
    <>
      <Table aria-label={texts.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.version}</Table.Th>
            <Table.Th>{files.size}</Table.Th>
            <Table.Th>{texts.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((version) => (
            <Table.Tr key={version.id}>
              <Table.Td>
                <VersionName projectRef={projectRef} version={version} />
              </Table.Td>
              <Table.Td>{formatBytes(version.sizeBytes)}</Table.Td>
              <Table.Td>
                <Group gap="xs">
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={texts.downloadOf(...labelOf(version))}
                    loading={download.isPending && download.variables.version === version.path}
                    onClick={() => download.mutate({ projectRef, filePath, version: version.path })}
                  >
                    {texts.download}
                  </Button>
                  {isMember && (
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={texts.restoreOf(...labelOf(version))}
                      onClick={() => setRestoring(version)}
                    >
                      {texts.restore}
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <RestoreDialog current={current} version={restoring} onClose={() => setRestoring(undefined)} />
    </>
  );
}

const labelOf = ({ filename, replacedAt }: Version) =>
  [replaceControlCharacters(filename), formatDateTime(replacedAt)] as const;

function VersionName({ projectRef, version }: { projectRef: string; version: Version }) {
  const params = { projectRef, fileId: String(version.id) };
  return (
    <>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/projects/$projectRef/files/$fileId" params={params} {...props} />}
      >
        <UntrustedText text={version.filename} />
      </Anchor>
      <Text size="xs" c="dimmed">
        {texts.replaced} <RelativeTime at={version.replacedAt} />
      </Text>
      <LifecycleNote file={{ ...version, status: "trashed", expiresAt: null }} />
    </>
  );
}

function RestoreDialog(props: { current: Current; version: Version | undefined; onClose: () => void }) {
  const { current, version, onClose } = props;
  const { projectRef, filePath } = current;
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  const restore = trpc.files.restoreVersion.useMutation({
    onSuccess: async ({ fileId }) => {
      const params = { projectRef, fileId: String(fileId) };
      await navigate({ to: "/projects/$projectRef/files/$fileId", params });
      // Its page would preview it first, although it is in the trash now.
      void utils.files.read.reset({ projectRef, fileId: current.fileId });
      notifications.show({ message: texts.restored });
    },
    // Both files, lists and the overview change.
    onSettled: () => void utils.invalidate(),
  });
  const close = () => {
    restore.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.restoreTitle}
      action={texts.restore}
      opened={version !== undefined}
      isBusy={restore.isPending}
      error={restore.error}
      onConfirm={() => version && restore.mutate({ projectRef, filePath, version: version.path })}
      onClose={() => restore.isPending || close()}
    >
      <Text size="sm">{texts.restoreHint}</Text>
    </ConfirmDialog>
  );
}
