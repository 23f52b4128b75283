import { readText } from "../containers/read-files.js";

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

/** The queries of Grafana's dashboard. */
export function readQueries(): { panel: string; expr: string }[] {
  const { panels } = JSON.parse(readText("deploy/grafana/stowage.json")) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ panel: title, expr })));
}
