import { cpus, totalmem } from "node:os";

/** What the figures were measured on, in one line that names no machine. */
export function describeMachine(): string {
  const cores = cpus();
  return `${cores.length} cores of ${cores[0]?.model.trim() ?? "an unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`;
}
