import { Alert } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Outputs } from "../trpc.js";
import { Loaded } from "./loaded.js";
import { mayAs, useProject } from "./use-project.js";

/** What owners of the project alone may see; for others, why they do not. */
export function OwnersOnly(props: {
  why: string;
  children: (project: Outputs["projects"]["read"]) => ReactNode;
}) {
  return (
    <Loaded query={useProject()}>
      {(project) =>
        mayAs(project.role, "owner") ? (
          props.children(project)
        ) : (
          <Alert color="gray" icon={<IconLock />}>
            {props.why}
          </Alert>
        )
      }
    </Loaded>
  );
}
