import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { type ChosenWebhookEventType, webhookEventSummaries, webhookEventTypes } from "@stowage/schemas";
import { createEndpointInput } from "@stowage/operator-schemas";
import { FormError } from "../../components/errors.js";
import { common } from "../../components/common-texts.js";
import { webhooks as texts } from "./webhooks-texts.js";

export interface EndpointFields {
  url: string;
  description: string;
  events: ChosenWebhookEventType[];
}

/** The fields of an endpoint. */
export function EndpointForm(props: {
  initial: EndpointFields;
  action: string;
  error: unknown;
  isBusy: boolean;
  onSubmit: (fields: EndpointFields) => void;
  onCancel: () => void;
}) {
  const form = useForm<EndpointFields>({
    mode: "controlled",
    initialValues: props.initial,
    validate: schemaResolver(createEndpointInput, { sync: true }),
  });
  const areAllChosen = form.values.events.length === webhookEventTypes.length;
  return (
    <form noValidate onSubmit={form.onSubmit(props.onSubmit)}>
      <Stack>
        <FormError error={props.error} />
        <TextInput
          label={texts.url}
          description={texts.urlHint}
          type="url"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps("url")}
        />
        <TextInput
          label={texts.description}
          description={texts.descriptionHint}
          autoComplete="off"
          {...form.getInputProps("description")}
        />
        <Checkbox.Group
          label={texts.events}
          required
          {...form.getInputProps("events")}
          error={form.errors["events"] && texts.noEvents}
        >
          <Stack gap="xs" my="xs">
            <Button
              variant="subtle"
              size="compact-sm"
              style={{ alignSelf: "flex-start", marginInlineStart: "-0.5rem" }}
              onClick={() => form.setFieldValue("events", areAllChosen ? [] : [...webhookEventTypes])}
            >
              {areAllChosen ? texts.chooseNone : texts.chooseAll}
            </Button>
            {webhookEventTypes.map((type) => (
              <Checkbox key={type} value={type} label={type} description={webhookEventSummaries[type]} />
            ))}
          </Stack>
        </Checkbox.Group>
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
