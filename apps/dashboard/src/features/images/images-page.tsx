import { Button, Text, VisuallyHidden } from "@mantine/core";
import { limits } from "@stowage/schemas";
import { IconPhoto, IconPlus } from "@tabler/icons-react";
import { lazy } from "react";
import { type Column, DataList } from "../../components/data-list.js";
import { EmptyState } from "../../components/empty-state.js";
import { Loaded } from "../../components/loaded.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { Page } from "../../components/page.js";
import { type OpenedDialog, RowButtons, useRowDialogs } from "../../components/row-dialogs.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { loadChunk } from "../../load-chunk.js";
import { images as texts } from "../../components/images-texts.js";
import { trpc } from "../../trpc.js";
import { VariantTroubles } from "./variant-troubles.js";
import type { Preset } from "./save-preset.js";

// Lazy because its form loads zod and the schemas.
const SavePreset = lazy(async () => ({
  default: (await loadChunk(() => import("./save-preset.js"))).SavePreset,
}));
const DeletePreset = lazy(async () => ({
  default: (await loadChunk(() => import("./delete-preset.js"))).DeletePreset,
}));

/** The presets of image variants of a project. All members see them; only owners change them. */
export function ImagesPage() {
  const projectRef = useProjectRef();
  const project = useProject();
  const presets = trpc.presets.list.useQuery({ projectRef });
  const { opened, shown, open, close } = useRowDialogs<Preset>();
  const isOwner = project.data !== undefined && hasRole(project.data.role, "owner");
  const isEmpty = presets.data?.length === 0;
  const isFull = (presets.data?.length ?? 0) >= limits.imagePresets;
  const addButton = isOwner && (
    <Button leftSection={<IconPlus size={16} />} disabled={isFull} onClick={() => open({ dialog: "save" })}>
      {texts.add}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      hint={project.data && !isOwner ? texts.ownersOnly : texts.hint}
      actions={presets.data && !isEmpty && addButton}
    >
      <VariantTroubles projectRef={projectRef} />
      <Loaded query={presets}>
        {(presets) =>
          isEmpty ? (
            <EmptyState
              icon={<IconPhoto size={20} />}
              title={texts.none}
              hint={texts.noneHint}
              action={addButton}
            />
          ) : (
            <>
              <DataList
                label={texts.presets}
                rows={presets}
                rowKey="name"
                columns={columnsFor({ isOwner, onOpen: open })}
              />
              {isOwner && isFull && <Text size="sm">{texts.tooMany(limits.imagePresets)}</Text>}
            </>
          )
        }
      </Loaded>
      <MountOnOpen opened={opened === "save"}>
        <SavePreset
          key={shown?.name}
          preset={shown}
          presets={presets.data ?? []}
          opened={opened === "save"}
          onClose={close}
        />
      </MountOnOpen>
      <MountOnOpen opened={opened === "delete"}>
        <DeletePreset name={shown?.name ?? ""} opened={opened === "delete"} onClose={close} />
      </MountOnOpen>
    </Page>
  );
}

function columnsFor(options: {
  isOwner: boolean;
  onOpen: (next: OpenedDialog<Preset>) => void;
}): Column<Preset>[] {
  const { isOwner, onOpen } = options;
  const columns: Column<Preset>[] = [
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
      id: "size",
      title: texts.size,
      render: ({ width, height, fit }) => (
        <>
          {`${width ?? "…"} × ${height ?? "…"}`}
          <Text size="xs" c="dimmed">
            {texts.fits[fit]}
          </Text>
        </>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "format",
      title: texts.format,
      render: ({ format, quality, animated }) => (
        <>
          {texts.formats[format]}
          <Text size="xs" c="dimmed">
            {texts.qualityOf(quality)}
            {animated && `, ${texts.isAnimated}`}
          </Text>
        </>
      ),
    },
    {
      isHiddenOnPhones: true,
      id: "eager",
      title: texts.made,
      render: ({ eager }) => (eager ? texts.madeEagerly : texts.madeOnDemand),
    },
  ];
  if (!isOwner) return columns;
  return [
    ...columns,
    {
      id: "actions",
      title: <VisuallyHidden>{texts.actions}</VisuallyHidden>,
      textAlign: "right",
      render: (preset) => <RowButtons row={preset} texts={texts} onOpen={onOpen} />,
    },
  ];
}
