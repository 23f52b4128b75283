import { Badge, Button, type MantineColor, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconLink } from "@tabler/icons-react";
import { lazy, useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.js";
import { formatDateTime } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { loadChunk } from "../../load-chunk.js";
import { type Outputs, trpc } from "../../trpc.js";
import { shareLinks as texts } from "./share-links-texts.js";

const CreateShareLink = lazy(async () => ({
  default: (await loadChunk(() => import("./create-share-link.js"))).CreateShareLink,
}));

type File = Outputs["files"]["read"];
type ShareLink = Outputs["links"]["list"]["links"][number];
type State = keyof typeof texts.states;

const colors: Record<State, MantineColor> = {
  works: "green",
  ended: "gray",
  usedUp: "gray",
  paused: "yellow",
};

/** The share links of a file that is stored or in the trash. Members create and revoke them. */
export function ShareLinks({ projectRef, file }: { projectRef: string; file: File }) {
  const { data: project } = useProject();
  const [isCreating, creating] = useDisclosure(false);
  const query = trpc.links.list.useInfiniteQuery(
    { projectRef, filePath: file.path },
    { getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined },
  );
  const isMember = project !== undefined && hasRole(project.role, "member");
  return (
    <Section
      title={texts.title}
      hint={file.status === "trashed" ? texts.pausedHint : texts.hint}
      aside={
        isMember &&
        file.status === "stored" && (
          <Button variant="default" size="xs" leftSection={<IconLink size={16} />} onClick={creating.open}>
            {texts.create}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ pages }) => (
          <LinkTable
            projectRef={projectRef}
            links={pages.flatMap(({ links }) => links)}
            isPaused={file.status === "trashed"}
            isMember={isMember}
          />
        )}
      </Loaded>
      {query.hasNextPage && (
        <Button
          variant="subtle"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
      <MountOnOpen opened={isCreating}>
        <CreateShareLink
          projectRef={projectRef}
          filePath={file.path}
          opened={isCreating}
          onClose={creating.close}
        />
      </MountOnOpen>
    </Section>
  );
}

function LinkTable(props: { projectRef: string; links: ShareLink[]; isPaused: boolean; isMember: boolean }) {
  const { projectRef, links, isPaused, isMember } = props;
  const [revoking, setRevoking] = useState<ShareLink>();
  if (links.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.none}
      </Text>
    );
  return (
    <>
      <Table aria-label={texts.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.created}</Table.Th>
            <Table.Th>{texts.state}</Table.Th>
            <Table.Th>{texts.downloads}</Table.Th>
            {isMember && <Table.Th>{texts.actions}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <Table.Tr key={link.linkId}>
              <Table.Td>
                <RelativeTime at={link.createdAt} />
              </Table.Td>
              <Table.Td>
                <LinkState state={isPaused ? "paused" : stateOf(link)} link={link} />
              </Table.Td>
              <Table.Td>{texts.downloadsOf(link.downloads, link.maxDownloads)}</Table.Td>
              {isMember && (
                <Table.Td>
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={texts.revokeOf(formatDateTime(link.createdAt))}
                    onClick={() => setRevoking(link)}
                  >
                    {texts.revoke}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <RevokeDialog projectRef={projectRef} link={revoking} onClose={() => setRevoking(undefined)} />
    </>
  );
}

function LinkState({ state, link: { expiresAt, hasPassword } }: { state: State; link: ShareLink }) {
  return (
    <>
      <Badge variant="dot" color={colors[state]}>
        {texts.states[state]}
      </Badge>
      {expiresAt !== null && (
        <Text size="sm" c="dimmed" mt={4}>
          {state === "ended" ? texts.ended : texts.ends} <RelativeTime at={expiresAt} />
        </Text>
      )}
      {hasPassword && (
        <Text size="sm" c="dimmed" mt={4}>
          {texts.hasPassword}
        </Text>
      )}
    </>
  );
}

function stateOf({ expiresAt, downloads, maxDownloads }: ShareLink): State {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return "ended";
  return maxDownloads !== null && downloads >= maxDownloads ? "usedUp" : "works";
}

function RevokeDialog(props: { projectRef: string; link: ShareLink | undefined; onClose: () => void }) {
  const { projectRef, link, onClose } = props;
  const utils = trpc.useUtils();
  const revoke = trpc.links.revoke.useMutation({
    onSuccess: () => {
      notifications.show({ message: texts.revoked });
      close();
    },
    onSettled: () => void utils.links.invalidate(),
  });
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      action={texts.revoke}
      opened={link !== undefined}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => link && revoke.mutate({ projectRef, linkId: link.linkId })}
      onClose={() => revoke.isPending || close()}
    >
      <Text size="sm">{texts.revokeHint}</Text>
    </ConfirmDialog>
  );
}
