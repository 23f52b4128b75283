import { Button, Group } from "@mantine/core";
import { FormError } from "../../components/errors.js";
import { useUnsavedChanges } from "../../components/unsaved-changes.js";
import { common } from "../../components/common-texts.js";
import { settings as texts } from "./settings-texts.js";

/** The buttons below a form, and the error that belongs to no field. Asks before the page is left with unsaved changes. */
export function SaveBar(props: { isDirty: boolean; isBusy: boolean; error: unknown; onDiscard: () => void }) {
  useUnsavedChanges(props.isDirty);
  return (
    <>
      <FormError error={props.error} />
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
