import { Badge } from "@mantine/core";
import { files as texts } from "./files-texts.js";
import { useProject } from "../use-project.js";
import { type ScanState, scanState } from "./scan-state.js";

const colors: Record<Exclude<ScanState, "off">, string> = {
  waiting: "yellow",
  clean: "green",
  infected: "red",
  unscannable: "orange",
};

/** What the virus scan of a file found. Only the dot is coloured, so that the text keeps its contrast. */
export function ScanBadge({ state }: { state: Exclude<ScanState, "off"> }) {
  return (
    <Badge variant="dot" color={colors[state]}>
      {texts.scanStates[state]}
    </Badge>
  );
}

/** In lists, only for files that wait for their scan and for those in quarantine. */
export function ScanNote({ file }: { file: Parameters<typeof scanState>[0] }) {
  const { data: project } = useProject();
  const state = scanState(file, project);
  if (state === "off" || state === "clean") return null;
  return (
    <div>
      <ScanBadge state={state} />
    </div>
  );
}
