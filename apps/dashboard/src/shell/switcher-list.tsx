import { Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMatches, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "../components/errors.js";
import { OptionList } from "../components/option-list.js";
import { common } from "../components/common-texts.js";
import { quickAccess as texts } from "./quick-access-texts.js";
import { shell } from "../components/shell-texts.js";
import { samePage } from "./project-pages.js";
import { useFindProjects } from "./use-find-projects.js";

/** Lists the operator's projects. Choosing one opens the same page of it. */
export function SwitcherList({ projectRef, onClose }: { projectRef: string; onClose: () => void }) {
  const [query, setQuery] = useState("");
  const { projects, error, isFetching } = useFindProjects(query);
  const navigate = useNavigate();
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" });
  const options = projects.map(({ ref, name, role }) => ({
    id: ref,
    label: name,
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
