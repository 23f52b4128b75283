import { Badge, Box, Group, Switch, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ProjectCreationPolicy } from "@stowage/operator-schemas";
import { type Column, DataList } from "../../components/data-list.js";
import { Email } from "../../components/email.js";
import { errorMessage } from "../../components/errors.js";
import { RelativeTime } from "../../components/relative-time.js";
import { operators as texts } from "./operators-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { EndSessions } from "./end-sessions.js";

type OperatorsOutput = Outputs["operators"]["list"];
type Operator = OperatorsOutput["operators"][number];

/** One page of the operators. With the policy `granted`, a switch gives and takes the right to create projects. */
export function OperatorList(props: {
  page: OperatorsOutput;
  isFetching: boolean;
  cursor: string | undefined;
  onCursorChange: (cursor: string | undefined) => void;
}) {
  const { page, isFetching, cursor, onCursorChange } = props;
  return (
    <>
      <Text size="sm">{texts.policies[page.projectCreation]}</Text>
      <DataList
        label={texts.title}
        rows={page.operators}
        rowKey="operatorId"
        columns={columnsFor(page.projectCreation)}
        isFetching={isFetching}
        pages={{
          cursor,
          previousCursor: page.previousCursor,
          nextCursor: page.nextCursor,
          onCursorChange,
        }}
      />
    </>
  );
}

function columnsFor(policy: ProjectCreationPolicy): Column<Operator>[] {
  return [
    { id: "name", title: texts.name, render: (operator) => <OperatorName operator={operator} /> },
    {
      isHiddenOnPhones: true,
      id: "twoFactorEnabled",
      title: texts.twoFactor,
      width: 150,
      render: ({ twoFactorEnabled }) => (twoFactorEnabled ? texts.on : texts.off),
    },
    {
      isHiddenOnPhones: true,
      id: "createdAt",
      title: texts.since,
      width: 140,
      render: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: "mayCreateProjects",
      title: texts.mayCreate,
      width: 130,
      render: (operator) =>
        policy === "granted" && !operator.isAdmin ? (
          <GrantSwitch operator={operator} />
        ) : (
          <Text size="sm" title={operator.isAdmin ? texts.alwaysMay : undefined}>
            {operator.mayCreateProjects ? texts.yes : texts.no}
          </Text>
        ),
    },
    {
      id: "operatorId",
      title: texts.sessions,
      width: 120,
      render: (operator) => <EndSessions operator={operator} />,
    },
  ];
}

function OperatorName({ operator: { name, email, isAdmin } }: { operator: Operator }) {
  return (
    <Box style={{ overflowWrap: "anywhere" }}>
      <Group gap="xs">
        <Text size="sm" fw={500} translate="no">
          {name}
        </Text>
        {isAdmin && (
          <Badge size="sm" variant="light">
            {texts.administrator}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        <Email>{email}</Email>
      </Text>
    </Box>
  );
}

function GrantSwitch({ operator }: { operator: Operator }) {
  const utils = trpc.useUtils();
  const change = trpc.operators.setProjectGrant.useMutation({
    onSuccess: (_, { isGranted }) =>
      notifications.show({ message: (isGranted ? texts.granted : texts.withdrawn)(operator.name) }),
    onError: (error) => notifications.show({ color: "red", message: errorMessage(error) }),
    onSettled: () => utils.operators.list.invalidate(),
  });
  return (
    <Switch
      aria-label={texts.mayCreateOf(operator.name)}
      checked={change.isPending ? change.variables.isGranted : operator.hasProjectGrant}
      disabled={change.isPending}
      onChange={(event) =>
        change.mutate({ operatorId: operator.operatorId, isGranted: event.currentTarget.checked })
      }
    />
  );
}
