import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Dialog } from "../../components/dialog.js";
import { useProjectRef } from "../../components/use-project.js";
import { common } from "../../components/common-texts.js";
import { images as texts } from "../../components/images-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { PresetFields } from "./preset-fields.js";
import { formatPreset, newPreset } from "./preset-form.js";

export type Preset = Outputs["presets"]["list"][number];

/** Adds a preset, or changes the given one. */
export function SavePreset(props: {
  preset?: Preset | undefined;
  presets: Preset[];
  opened: boolean;
  onClose: () => void;
}) {
  const { preset, presets, opened, onClose } = props;
  const projectRef = useProjectRef();
  const utils = trpc.useUtils();
  const save = trpc.presets.save.useMutation({
    onSuccess: async () => {
      notifications.show({ message: preset ? texts.changed : texts.added });
      onClose();
      await utils.presets.list.invalidate();
    },
  });
  const close = () => {
    save.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={preset ? texts.changeTitle(preset.name) : texts.addTitle}>
      {preset && (
        <Text size="sm" mb="md">
          {texts.changeHint}
        </Text>
      )}
      <PresetFields
        initial={preset ? formatPreset(preset) : newPreset}
        {...(preset ? {} : { takenNames: presets.map(({ name }) => name) })}
        action={preset ? common.save : texts.add}
        error={save.error}
        isBusy={save.isPending}
        onSubmit={(saved) => save.mutate({ projectRef, ...saved })}
        onCancel={close}
      />
    </Dialog>
  );
}
