import { Text, UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { lazy } from "react";
import { MountOnOpen } from "../components/mount-on-open.js";
import { shell } from "../components/shell-texts.js";
import { useLazyMenu } from "../components/use-lazy-menu.js";
import { loadChunk } from "../load-chunk.js";
import { trpc } from "../trpc.js";
import styles from "./project-switcher.module.css";

const load = async () => ({
  default: (await loadChunk(() => import("./switcher-popover.js"))).SwitcherPopover,
});
const SwitcherPopover = lazy(load);

/** The name of the project, as a button that lists the others. */
export function ProjectSwitcher({ projectRef, onSwitch }: { projectRef: string; onSwitch: () => void }) {
  const { data: project } = trpc.projects.read.useQuery({ projectRef });
  const menu = useLazyMenu("dialog", load);
  return (
    <>
      <UnstyledButton
        {...menu.buttonProps}
        className={styles["button"] ?? ""}
        aria-label={shell.switchProject(project?.name ?? "")}
      >
        <Text component="span" fw={600} truncate translate="no">
          {project?.name ?? " "}
        </Text>
        <IconSelector size={16} aria-hidden />
      </UnstyledButton>
      <MountOnOpen opened={menu.opened}>
        <SwitcherPopover
          projectRef={projectRef}
          target={menu.target}
          menuProps={menu.menuProps}
          onClose={() => {
            menu.menuProps.onChange(false);
            onSwitch();
          }}
        />
      </MountOnOpen>
    </>
  );
}
