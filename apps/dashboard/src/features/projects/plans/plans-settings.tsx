import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { limits } from "@stowage/schemas";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { type Column, DataList } from "../../../components/data-list.js";
import { formatBytes, formatCount } from "../../../components/format.js";
import { Loaded } from "../../../components/loaded.js";
import { MountOnOpen } from "../../../components/mount-on-open.js";
import { Section } from "../../../components/section.js";
import { trpc } from "../../../trpc.js";
import { DeletePlan } from "./delete-plan.js";
import { plans as texts } from "./plans-texts.js";
import { type Plan, SavePlan } from "./save-plan.js";

/** The dialog that is open, and the plan that it is about. A new plan has none. */
interface Opened {
  dialog: "save" | "delete";
  plan?: Plan;
}

/** Lists the plans of a project, and adds, changes and deletes them. */
export function PlansSettings({ projectRef }: { projectRef: string }) {
  const plans = trpc.plans.list.useQuery({ projectRef });
  const [opened, setOpened] = useState<Opened | null>(null);
  // The dialog keeps its content while it closes.
  const [shown, setShown] = useState<Opened | null>(null);
  const open = (next: Opened) => {
    setShown(next);
    setOpened(next);
  };
  const close = () => setOpened(null);
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
      <MountOnOpen opened={opened?.dialog === "save"}>
        <SavePlan
          key={shown?.plan?.name}
          projectRef={projectRef}
          plan={shown?.plan}
          plans={plans.data ?? []}
          opened={opened?.dialog === "save"}
          onClose={close}
        />
      </MountOnOpen>
      <MountOnOpen opened={opened?.dialog === "delete"}>
        <DeletePlan
          projectRef={projectRef}
          name={shown?.plan?.name ?? ""}
          opened={opened?.dialog === "delete"}
          onClose={close}
        />
      </MountOnOpen>
    </Section>
  );
}

function columnsFor(onOpen: (next: Opened) => void): Column<Plan>[] {
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
      render: (plan) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={texts.changeOf(plan.name)}
            onClick={() => onOpen({ dialog: "save", plan })}
          >
            {texts.change}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={texts.deleteOf(plan.name)}
            onClick={() => onOpen({ dialog: "delete", plan })}
          >
            {texts.delete}
          </Button>
        </Group>
      ),
    },
  ];
}
