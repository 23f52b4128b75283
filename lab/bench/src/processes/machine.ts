import { cpus, totalmem } from "node:os";

/** Describes the machine in one line, without its name. */
export function describeMachine(): string {
  const cores = cpus();
  return `${cores.length} cores of ${cores[0]?.model.trim() ?? "an unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`;
}
