import { notifications } from "@mantine/notifications";
import { type Outputs, trpc } from "../../trpc.js";

type Project = Outputs["projects"]["read"];

/**
 * What a change of a project does to the pages that show it: they have it at once, as it was before again where it is refused,
 * and in the service's own words in the end.
 */
export function useProjectChange(projectRef: string, saved: string) {
  const utils = trpc.useUtils();
  const query = { projectRef };
  return {
    onMutate: async (change: Partial<Project>) => {
      await utils.projects.read.cancel(query);
      const before = utils.projects.read.getData(query);
      const { projectRef: _, ...changed } = change as Partial<Project> & { projectRef?: string };
      utils.projects.read.setData(query, (now) => now && { ...now, ...changed });
      return { before };
    },
    onError: (_error: unknown, _change: unknown, context: { before: Project | undefined } | undefined) =>
      utils.projects.read.setData(query, context?.before),
    onSuccess: () => notifications.show({ message: saved }),
    onSettled: async () => {
      await utils.projects.invalidate();
    },
  };
}
