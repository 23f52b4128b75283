import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Outputs } from "../trpc.js";
import { Loaded } from "./loaded.js";
import { hasRole, useProject } from "./use-project.js";

/** Renders its children for owners of the project. Shows `reason` to everyone else. */
export function OwnersOnly(props: {
  reason: string;
  children: (project: Outputs["projects"]["read"]) => ReactNode;
}) {
  return (
    <Loaded query={useProject()}>
      {(project) =>
        hasRole(project.role, "owner") ? (
          props.children(project)
        ) : (
          <Alert color="gray" icon={<IconLock />}>
            {props.reason}
          </Alert>
        )
      }
    </Loaded>
  );
}
