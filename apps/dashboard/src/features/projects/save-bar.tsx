import { Button, Group } from "@mantine/core";
import { Refusal } from "../../components/refusal.js";
import { common } from "../../texts/common.js";
import { settings as texts } from "../../texts/settings.js";

/** Below a form: what went wrong with it as a whole, and what can be done with what was changed. */
export function SaveBar(props: {
  isDirty: boolean;
  isBusy: boolean;
  /** What no field can show. */
  error: unknown;
  onDiscard: () => void;
}) {
  return (
    <>
      <Refusal error={props.error} />
      <Group gap="xs">
        <Button type="submit" disabled={!props.isDirty} loading={props.isBusy}>
          {common.save}
        </Button>
        {props.isDirty && !props.isBusy && (
          <Button variant="subtle" color="gray" onClick={props.onDiscard}>
            {texts.discard}
          </Button>
        )}
      </Group>
    </>
  );
}
