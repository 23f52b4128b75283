import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { limits } from "@stowage/schemas";
import { IconPlus } from "@tabler/icons-react";
import { type Column, DataList } from "../../../components/data-list.js";
import { formatBytes, formatCount } from "../../../components/format.js";
import { Loaded } from "../../../components/loaded.js";
import { MountOnOpen } from "../../../components/mount-on-open.js";
import { type OpenedDialog, RowButtons, useRowDialogs } from "../../../components/row-dialogs.js";
import { Section } from "../../../components/section.js";
import { trpc } from "../../../trpc.js";
import { DeletePlan } from "./delete-plan.js";
import { plans as texts } from "./plans-texts.js";
import { type Plan, SavePlan } from "./save-plan.js";

/** Lists the plans of a project, and adds, changes and deletes them. */
export function PlansSettings({ projectRef }: { projectRef: string }) {
  const plans = trpc.plans.list.useQuery({ projectRef });
  const { opened, shown, open, close } = useRowDialogs<Plan>();
  const isFull = (plans.data?.length ?? 0) >= limits.plans;
  return (
    <Section isForm title={texts.title} hint={texts.hint}>
      <Loaded query={plans}>
        {(plans) =>
          plans.length === 0 ? (
            <Text size="sm">{texts.none}</Text>
          ) : (
            <DataList label={texts.list} rows={plans} rowKey="name" columns={columnsFor(open)} />
          )
        }
      </Loaded>
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={!plans.data || isFull}
          onClick={() => open({ dialog: "save" })}
        >
          {texts.add}
        </Button>
      </Group>
      <MountOnOpen opened={opened === "save"}>
        <SavePlan
          key={shown?.name}
          projectRef={projectRef}
          plan={shown}
          plans={plans.data ?? []}
          opened={opened === "save"}
          onClose={close}
        />
      </MountOnOpen>
      <MountOnOpen opened={opened === "delete"}>
        <DeletePlan
          projectRef={projectRef}
          name={shown?.name ?? ""}
          opened={opened === "delete"}
          onClose={close}
        />
      </MountOnOpen>
    </Section>
  );
}

function columnsFor(onOpen: (next: OpenedDialog<Plan>) => void): Column<Plan>[] {
  return [
    {
      id: "name",
      title: texts.name,
      render: ({ name }) => (
        <Text size="sm" fw={500} translate="no">
          {name}
        </Text>
      ),
    },
    {
      id: "quota",
      title: texts.quota,
      render: ({ quotaBytes }) => (quotaBytes === null ? texts.ofProject : formatBytes(quotaBytes)),
    },
    {
      id: "files",
      title: texts.files,
      isHiddenOnPhones: true,
      render: ({ maxFiles }) => (maxFiles === null ? texts.ofProject : formatCount(maxFiles)),
    },
    {
      id: "actions",
      title: <VisuallyHidden>{texts.actions}</VisuallyHidden>,
      textAlign: "right",
      render: (plan) => <RowButtons row={plan} texts={texts} onOpen={onOpen} />,
    },
  ];
}
