import { Button, Group } from "@mantine/core";
import { type FileState, fileStates } from "@stowage/schemas/dashboard";
import { files as texts } from "../../texts/files.js";
import type { FilterChange } from "./files-search.js";

/** Buttons that show all files or those of one state. */
export function StateViews(props: {
  states: FileState[] | undefined;
  onChange: (change: Pick<FilterChange, "states">) => void;
}) {
  const { states, onChange } = props;
  const views = [undefined, ...fileStates];
  return (
    <Group component="nav" aria-label={texts.views} gap={4}>
      {views.map((state) => {
        const isShown = state === undefined ? states === undefined : states?.includes(state) === true;
        return (
          <Button
            key={state ?? "all"}
            size="compact-sm"
            variant={isShown ? "light" : "subtle"}
            color={isShown ? undefined : "gray"}
            aria-current={isShown ? "true" : undefined}
            onClick={() => onChange({ states: state === undefined ? undefined : [state] })}
          >
            {state === undefined ? texts.allStates : texts.states[state]}
          </Button>
        );
      })}
    </Group>
  );
}
