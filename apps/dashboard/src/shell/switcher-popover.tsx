import { Popover, type PopoverProps, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMatches, useNavigate } from "@tanstack/react-router";
import { type RefObject, useState } from "react";
import { errorMessage } from "../components/errors.js";
import { ExistingTarget } from "../components/existing-target.js";
import { OptionList } from "../components/option-list.js";
import { common } from "../components/common-texts.js";
import { UntrustedText } from "../components/untrusted-text.js";
import { quickAccess as texts } from "./quick-access-texts.js";
import { shell } from "../components/shell-texts.js";
import { samePage } from "./project-pages.js";
import { useFindProjects } from "./use-find-projects.js";

/** The dropdown below the name of the project. */
export function SwitcherPopover(props: {
  projectRef: string;
  target: RefObject<HTMLElement>;
  menuProps: Pick<PopoverProps, "id" | "opened" | "onChange" | "returnFocus">;
  onClose: () => void;
}) {
  const { projectRef, target, menuProps, onClose } = props;
  return (
    <Popover position="bottom-start" width={320} shadow="md" trapFocus withinPortal {...menuProps}>
      <Popover.Target>
        <ExistingTarget element={target} />
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={shell.switchTitle}>
        <SwitcherList projectRef={projectRef} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Lists the operator's projects. Choosing one opens the same page of it. */
function SwitcherList({ projectRef, onClose }: { projectRef: string; onClose: () => void }) {
  const [query, setQuery] = useState("");
  const { projects, error, isFetching } = useFindProjects(query);
  const navigate = useNavigate();
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" });
  const options = projects.map(({ ref, name, role }) => ({
    id: ref,
    label: <UntrustedText text={name} />,
    hint:
      ref === projectRef ? (
        <IconCheck size={16} aria-label={texts.currentProject} />
      ) : (
        <Text span size="xs" c="dimmed">
          {shell.roles[role]}
        </Text>
      ),
    onSelect: () => {
      onClose();
      if (ref !== projectRef) void navigate({ to: samePage(route, role), params: { projectRef: ref } });
    },
  }));
  const allProjects = {
    id: "all",
    label: texts.allProjects,
    onSelect: () => {
      onClose();
      void navigate({ to: "/" });
    },
  };
  const isEmpty = options.length === 0 && !isFetching;
  return (
    <OptionList
      label={texts.findProject}
      query={query}
      onQuery={setQuery}
      isLoading={isFetching}
      groups={[
        ...(options.length > 0 ? [{ label: shell.projects, options }] : []),
        { label: shell.pages, options: [allProjects] },
      ]}
      note={error ? errorMessage(error) : isEmpty ? common.noResults : ""}
      isNoteShown={Boolean(error) || isEmpty}
    />
  );
}
