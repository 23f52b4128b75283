import { Box, Button, Text, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { DataList } from "../../components/data-list.js";
import { Email } from "../../components/email.js";
import { errorMessage } from "../../components/errors.js";
import { rememberFocus } from "../../components/return-focus.js";
import { useProjectRef } from "../../components/use-project.js";
import { RelativeTime } from "../../components/relative-time.js";
import { members as texts } from "./members-texts.js";
import { type Outputs, trpc } from "../../trpc.js";

type Invitation = Outputs["members"]["list"]["invitations"][number];

/** Invitations that are not accepted yet. Owners can revoke them. */
export function InvitationList(props: { invitations: Invitation[]; isOwner: boolean }) {
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const revoke = trpc.members.revokeInvitation.useMutation({
    onError: (error) => notifications.show({ color: "red", message: errorMessage(error) }),
    onSettled: () => utils.members.list.invalidate(),
  });
  const revokeOne = ({ invitationId, email }: Invitation) => {
    const keepFocus = rememberFocus();
    const onSuccess = () => {
      notifications.show({ message: texts.revoked(email) });
      keepFocus();
    };
    revoke.mutate({ projectRef, invitationId }, { onSuccess });
  };
  return (
    <DataList
      label={texts.invitations}
      rows={props.invitations}
      rowKey="invitationId"
      columns={[
        {
          id: "email",
          title: texts.email,
          render: ({ email, role, expiresAt }) => (
            <Box style={{ overflowWrap: "anywhere" }}>
              <Text size="sm">
                <Email>{email}</Email>
              </Text>
              <Text size="sm" c="dimmed" hiddenFrom="sm">
                {texts.roles[role]}, {texts.expires.toLowerCase()} <RelativeTime at={expiresAt} />
              </Text>
            </Box>
          ),
        },
        {
          isHiddenOnPhones: true,
          id: "role",
          title: texts.role,
          width: 120,
          render: ({ role }) => texts.roles[role],
        },
        {
          isHiddenOnPhones: true,
          id: "invitedBy",
          title: texts.invitedBy,
          width: 220,
          render: ({ invitedBy }) => <Email>{invitedBy}</Email>,
        },
        {
          isHiddenOnPhones: true,
          id: "expiresAt",
          title: texts.expires,
          width: 140,
          render: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
        },
        ...(props.isOwner
          ? [
              {
                id: "revoke",
                title: <VisuallyHidden>{texts.actions}</VisuallyHidden>,
                width: 120,
                textAlign: "right" as const,
                render: (invitation: Invitation) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={texts.revokeOne(invitation.email)}
                    loading={revoke.isPending && revoke.variables.invitationId === invitation.invitationId}
                    onClick={() => revokeOne(invitation)}
                  >
                    {texts.revoke}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
