import { Button, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { roles } from "@stowage/operator-schemas";
import { IconUserPlus } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { members as texts } from "./members-texts.js";
import { trpc } from "../../trpc.js";
import { MemberList } from "./member-list.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because form validation is large and most visits do not invite anyone.
const InviteDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./invite-dialog.js"))).InviteDialog,
}));

// Lazy because most projects have no open invitation.
const InvitationList = lazy(async () => ({
  default: (await loadChunk(() => import("./invitation-list.js"))).InvitationList,
}));

/** Members and open invitations of a project. All members see them; only owners change them. */
export function MembersPage() {
  const projectRef = useProjectRef();
  const project = useProject();
  const list = trpc.members.list.useQuery({ projectRef });
  const [isInviting, invite] = useDisclosure();
  const isOwner = project.data !== undefined && hasRole(project.data.role, "owner");
  return (
    <Page
      title={texts.title}
      hint={project.data && !isOwner ? texts.ownersOnly : texts.hint}
      actions={
        isOwner && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={invite.open}>
            {texts.invite}
          </Button>
        )
      }
    >
      <Loaded query={list}>
        {({ members, invitations }) => (
          <>
            <MemberList members={members} isOwner={isOwner} />
            {invitations.length > 0 && (
              <Stack gap="sm">
                <Title order={2} size="h4">
                  {texts.invitations}
                </Title>
                <Suspense fallback={<Skeleton height={120} />}>
                  <InvitationList invitations={invitations} isOwner={isOwner} />
                </Suspense>
              </Stack>
            )}
          </>
        )}
      </Loaded>
      <Stack gap={2}>
        {roles.map((role) => (
          <Text key={role} size="sm" c="dimmed">
            <b>{texts.roles[role]}</b>: {texts.rights[role]}
          </Text>
        ))}
      </Stack>
      <MountOnOpen opened={isInviting}>
        <InviteDialog opened={isInviting} onClose={invite.close} />
      </MountOnOpen>
    </Page>
  );
}
