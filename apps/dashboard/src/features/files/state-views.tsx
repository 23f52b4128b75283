import { Button, Group, Text } from "@mantine/core";
import { type FileState, fileStates, listedFileStates } from "@stowage/operator-schemas";
import { Link } from "@tanstack/react-router";
import { formatBounded } from "../../components/format.js";
import { useProject } from "../../components/use-project.js";
import { files as texts } from "../../components/files/files-texts.js";
import type { Outputs } from "../../trpc.js";
import type { FilterChange } from "./files-search.js";

type Counts = Outputs["files"]["count"];

/** Buttons that show all files or those of one state, each with the number of its files. While the project scans, also a link to the quarantine. */
export function StateViews(props: {
  states: FileState[] | undefined;
  /** Undefined while the files are counted. */
  counts: Counts | undefined;
  onChange: (change: Pick<FilterChange, "states">) => void;
}) {
  const { states, counts, onChange } = props;
  const { data: project } = useProject();
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
            {state !== undefined && counts && counts[state].count > 0 && (
              <Text span inherit c="dimmed" ms={6} fw={400} className="tabular">
                {formatBounded(counts[state])}
              </Text>
            )}
          </Button>
        );
      })}
      {project && project.scan !== "off" && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          renderRoot={(props) => (
            <Link
              to="/projects/$projectRef/files/quarantine"
              params={{ projectRef: project.ref }}
              {...props}
            />
          )}
        >
          {texts.quarantine}
        </Button>
      )}
    </Group>
  );
}

/** The service counts up to this number. */
const MAX_COUNT = 1000;

/** The number of the files in some states, or in all. */
export function sumOf(counts: Counts, states: readonly FileState[] = listedFileStates): Counts[FileState] {
  const count = states.reduce((sum, state) => sum + counts[state].count, 0);
  const isExact = states.every((state) => counts[state].isExact) && count <= MAX_COUNT;
  return { count: Math.min(count, MAX_COUNT), isExact };
}
