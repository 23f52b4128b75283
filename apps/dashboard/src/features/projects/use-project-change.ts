import { notifications } from "@mantine/notifications";
import { type Outputs, trpc } from "../../trpc.js";

type Project = Outputs["projects"]["read"];

/**
 * Returns mutation options for an optimistic update of a project: it changes the cached project immediately, restores it on an error,
 * and refetches it in the end. The mutation does not wait for that: the form would count as unsaved after the message said
 * that it was saved.
 */
export function useProjectChange(projectRef: string, savedMessage: string) {
  const utils = trpc.useUtils();
  const query = { projectRef };
  return {
    onMutate: async (change: Partial<Project>) => {
      await utils.projects.read.cancel(query);
      const before = utils.projects.read.getData(query);
      const { projectRef: _, ...changed } = change as Partial<Project> & { projectRef?: string };
      utils.projects.read.setData(query, (current) => current && { ...current, ...changed });
      return { before };
    },
    onError: (_error: unknown, _change: unknown, context: { before: Project | undefined } | undefined) =>
      utils.projects.read.setData(query, context?.before),
    onSuccess: () => notifications.show({ message: savedMessage }),
    onSettled: () => void utils.projects.invalidate(),
  };
}
