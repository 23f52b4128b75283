import { Button, Group, Radio, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { limits } from "@stowage/schemas";
import { imageFormats, presetFits, type SavePresetInput } from "@stowage/operator-schemas";
import { FormError } from "../../components/errors.js";
import { common } from "../../components/common-texts.js";
import { images as texts } from "../../components/images-texts.js";
import { type PresetFields as Fields, parsePreset, validatePreset } from "./preset-form.js";
import { PresetPreview } from "./preset-preview.js";

/** The form of a preset. */
export function PresetFields(props: {
  initial: Fields;
  /** Names that a new preset may not have. Undefined for a preset that exists: its name stays. */
  takenNames?: string[];
  action: string;
  error: unknown;
  isBusy: boolean;
  onSubmit: (preset: SavePresetInput) => void;
  onCancel: () => void;
}) {
  const { takenNames } = props;
  const form = useForm<Fields>({
    mode: "controlled",
    initialValues: props.initial,
    validate: (fields) => ({
      ...validatePreset(fields),
      ...(takenNames?.includes(fields.name) ? { name: texts.nameTaken } : {}),
    }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((fields) => props.onSubmit(parsePreset(fields)))}>
      <Stack>
        <FormError error={props.error} />
        {takenNames && (
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps("name")}
          />
        )}
        <Group grow align="start">
          {(["width", "height"] as const).map((side) => (
            <TextInput
              key={side}
              type="number"
              label={texts[side]}
              description={texts.anySide}
              min={1}
              max={limits.variantPixels}
              data-autofocus={!takenNames && side === "width" ? true : undefined}
              {...form.getInputProps(side)}
            />
          ))}
        </Group>
        <Radio.Group label={texts.fit} {...form.getInputProps("fit")}>
          <Stack gap="xs" mt="xs">
            {presetFits.map((fit) => (
              <Radio key={fit} value={fit} label={texts.fits[fit]} description={texts.fitHint[fit]} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group label={texts.format} description={texts.formatHint} {...form.getInputProps("format")}>
          <Group mt="xs">
            {imageFormats.map((format) => (
              <Radio key={format} value={format} label={texts.formats[format]} />
            ))}
          </Group>
        </Radio.Group>
        <TextInput
          type="number"
          label={texts.quality}
          description={texts.qualityHint}
          min={1}
          max={100}
          required
          {...form.getInputProps("quality")}
        />
        <Switch
          label={texts.eager}
          description={texts.eagerHint}
          {...form.getInputProps("eager", { type: "checkbox" })}
        />
        <Switch
          label={texts.animated}
          description={texts.animatedHint}
          {...form.getInputProps("animated", { type: "checkbox" })}
        />
        <PresetPreview fields={form.values} />
        <Group justify="flex-end">
          <Button variant="default" disabled={props.isBusy} onClick={props.onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={props.isBusy}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
