import { Popover, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSelector } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { loadChunk } from "../load-chunk.js";
import { shell } from "../components/shell-texts.js";
import { trpc } from "../trpc.js";
import styles from "./project-switcher.module.css";

// Lazy because most visits stay in one project.
const SwitcherList = lazy(async () => ({
  default: (await loadChunk(() => import("./switcher-list.js"))).SwitcherList,
}));

/** The name of the project, as a button that lists the others. */
export function ProjectSwitcher({ projectRef, onSwitch }: { projectRef: string; onSwitch: () => void }) {
  const { data: project } = trpc.projects.read.useQuery({ projectRef });
  const [isOpen, list] = useDisclosure();
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => (opened ? list.open() : list.close())}
      position="bottom-start"
      width={320}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton
          className={styles["button"] ?? ""}
          onClick={list.toggle}
          aria-label={shell.switchProject(project?.name ?? "")}
        >
          <Text component="span" fw={600} truncate>
            {project?.name ?? " "}
          </Text>
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={shell.switchTitle}>
        <Suspense fallback={<Skeleton height={160} />}>
          <SwitcherList
            projectRef={projectRef}
            onClose={() => {
              list.close();
              onSwitch();
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
