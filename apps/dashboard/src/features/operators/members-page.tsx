import { Button, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { roles } from "@stowage/schemas/dashboard";
import { IconUserPlus } from "@tabler/icons-react";
import { lazy } from "react";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { mayAs, useProject, useProjectRef } from "../../components/use-project.js";
import { WhenOpened } from "../../components/when-opened.js";
import { members as texts } from "../../texts/members.js";
import { trpc } from "../../trpc.js";
import { InvitationList } from "./invitation-list.js";
import { MemberList } from "./member-list.js";

/** What judges its form is a lot of code, and most visits invite nobody. */
const InviteDialog = lazy(async () => ({ default: (await import("./invite-dialog.js")).InviteDialog }));

/** Who is in the project and who is asked to join. Everybody in it sees that; owners change it. */
export function MembersPage() {
  const projectRef = useProjectRef();
  const project = useProject();
  const list = trpc.members.list.useQuery({ projectRef });
  const [isInviting, invite] = useDisclosure();
  const isOwner = project.data !== undefined && mayAs(project.data.role, "owner");
  return (
    <Page
      title={texts.title}
      hint={project.data && !isOwner ? texts.onlyOwners : texts.hint}
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
                <InvitationList invitations={invitations} isOwner={isOwner} />
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
      <WhenOpened opened={isInviting}>
        <InviteDialog opened={isInviting} onClose={invite.close} />
      </WhenOpened>
    </Page>
  );
}
