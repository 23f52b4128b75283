import { Box, Button, Select, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type Role, roles } from "@stowage/schemas/dashboard";
import { lazy, type ReactNode, useState } from "react";
import { DataList } from "../../components/data-list.js";
import { Email } from "../../components/email.js";
import { onlyWide } from "../../components/only-wide.js";
import { Empty } from "../../components/empty.js";
import { sentenceOf } from "../../components/failure.js";
import { useProjectRef } from "../../components/use-project.js";
import { When } from "../../components/when.js";
import { WhenOpened } from "../../components/when-opened.js";
import { members as texts } from "../../texts/members.js";
import { type Outputs, trpc } from "../../trpc.js";

const RemoveDialog = lazy(async () => ({ default: (await import("./remove-dialog.js")).RemoveDialog }));

type Member = Outputs["members"]["list"]["members"][number];

/** The people of a project. The only owner can neither step down nor leave, and is told why. */
export function MemberList({ members, isOwner }: { members: Member[]; isOwner: boolean }) {
  const me = trpc.session.me.useQuery();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const owners = members.filter(({ role }) => role === "owner").length;
  const isLastOwner = ({ role }: Member) => role === "owner" && owners === 1;
  const isMe = ({ operatorId }: Member) => operatorId === me.data?.id;
  if (members.length === 0) return <Empty title={texts.nobody} hint={texts.nobodyHint} />;
  return (
    <>
      <DataList
        label={texts.title}
        rows={members}
        rowKey="operatorId"
        columns={[
          {
            accessor: "name",
            title: texts.name,
            render: (member) => (
              <Box style={{ overflowWrap: "anywhere" }}>
                <Text size="sm" fw={500}>
                  {member.name}
                  {isMe(member) && (
                    <Text span c="dimmed" size="sm">
                      {` (${texts.you})`}
                    </Text>
                  )}
                </Text>
                <Text size="xs" c="dimmed">
                  <Email>{member.email}</Email>
                </Text>
              </Box>
            ),
          },
          {
            accessor: "role",
            title: texts.role,
            width: 120,
            render: (member) =>
              isOwner ? (
                <RoleChoice member={member} isLastOwner={isLastOwner(member)} />
              ) : (
                texts.roles[member.role]
              ),
          },
          {
            ...onlyWide,
            accessor: "since",
            title: texts.since,
            width: 140,
            render: ({ since }) => <When at={since} />,
          },
          ...(isOwner
            ? [
                {
                  accessor: "remove",
                  title: <VisuallyHidden>{texts.change}</VisuallyHidden>,
                  width: 110,
                  textAlign: "right" as const,
                  render: (member: Member) => (
                    <WithReason reason={isLastOwner(member) ? texts.lastOwner : undefined}>
                      {(barred) => (
                        <Button
                          size="xs"
                          variant="default"
                          aria-label={isMe(member) ? texts.leave : texts.removeOne(member.name)}
                          data-disabled={isLastOwner(member) || undefined}
                          {...barred}
                          onClick={() => !isLastOwner(member) && setLeaving(member)}
                        >
                          {isMe(member) ? texts.leave : texts.remove}
                        </Button>
                      )}
                    </WithReason>
                  ),
                },
              ]
            : []),
        ]}
      />
      <WhenOpened opened={leaving !== null}>
        <RemoveDialog
          member={leaving}
          isMe={leaving !== null && isMe(leaving)}
          onClose={() => setLeaving(null)}
        />
      </WhenOpened>
    </>
  );
}

function RoleChoice({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const change = trpc.members.changeRole.useMutation({
    onSuccess: (_, { role }) =>
      notifications.show({ message: texts.roleChanged(member.name, texts.roles[role]) }),
    onError: (error) => notifications.show({ color: "red", message: sentenceOf(error) }),
    // One's own role decides what else is offered.
    onSettled: () => Promise.all([utils.members.list.invalidate(), utils.projects.invalidate()]),
  });
  return (
    <WithReason reason={isLastOwner ? texts.lastOwner : undefined}>
      {(barred) => (
        <Select
          aria-label={texts.roleOf(member.name)}
          size="xs"
          allowDeselect={false}
          readOnly={isLastOwner}
          variant={isLastOwner ? "filled" : "default"}
          disabled={change.isPending}
          {...barred}
          data={roles.map((role) => ({ value: role, label: texts.roles[role] }))}
          value={change.isPending ? change.variables.role : member.role}
          onChange={(role) =>
            role !== null &&
            role !== member.role &&
            change.mutate({ projectRef, operatorId: member.operatorId, role: role as Role })
          }
        />
      )}
    </WithReason>
  );
}

interface Barred {
  "aria-disabled"?: true;
  "aria-description"?: string;
}

/**
 * Says why something cannot be done, to who points at it, reaches it by keyboard or has it read out. It is barred and not
 * `disabled`, since nobody reaches what is disabled.
 */
function WithReason(props: { reason: string | undefined; children: (barred: Barred) => ReactNode }) {
  const { reason, children } = props;
  return (
    <Tooltip
      label={reason}
      disabled={reason === undefined}
      multiline
      maw={260}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Box>{children(reason === undefined ? {} : { "aria-disabled": true, "aria-description": reason })}</Box>
    </Tooltip>
  );
}
