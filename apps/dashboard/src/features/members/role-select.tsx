import { Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type Role, roles } from "@stowage/operator-schemas";
import { errorMessage } from "../../components/errors.js";
import { useProjectRef } from "../../components/use-project.js";
import { members as texts } from "./members-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DisabledReason } from "./disabled-reason.js";

type Member = Outputs["members"]["list"]["members"][number];

/** Shows a member's role and changes it. The role of the last owner cannot be changed. */
export function RoleSelect({ member, isLastOwner }: { member: Member; isLastOwner: boolean }) {
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const change = trpc.members.changeRole.useMutation({
    onSuccess: (_, { role }) =>
      notifications.show({ message: texts.roleChanged(member.name, texts.roles[role]) }),
    onError: (error) => notifications.show({ color: "red", message: errorMessage(error) }),
    // The operator may have changed their own role, which decides what the pages of the project offer.
    onSettled: () => Promise.all([utils.members.list.invalidate(), utils.projects.invalidate()]),
  });
  return (
    <DisabledReason reason={isLastOwner ? texts.lastOwner : undefined}>
      {(disabledProps) => (
        <Select
          aria-label={texts.roleOf(member.name)}
          size="xs"
          allowDeselect={false}
          readOnly={isLastOwner}
          variant={isLastOwner ? "filled" : "default"}
          disabled={change.isPending}
          {...disabledProps}
          data={roles.map((role) => ({ value: role, label: texts.roles[role] }))}
          value={change.isPending ? change.variables.role : member.role}
          onChange={(role) => {
            if (role === null || role === member.role) return;
            change.mutate({ projectRef, operatorId: member.operatorId, role: role as Role });
          }}
        />
      )}
    </DisabledReason>
  );
}
