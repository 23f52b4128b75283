import { Group, Kbd, Modal, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { errorMessage } from "../components/errors.js";
import { OptionList } from "../components/option-list.js";
import { quickAccess as texts } from "./quick-access-texts.js";
import { usePaletteOptions } from "./use-palette-options.js";

/**
 * Finds pages, projects and, inside of a project, its tenants and files, by name.
 *
 * @param onClose `hasMoved` if the operator has chosen another page
 */
export function CommandPalette(props: { isAdmin: boolean; onClose: (hasMoved: boolean) => void }) {
  const { projectRef } = useParams({ strict: false });
  const [query, setQuery] = useState("");
  const { groups, error, isFetching } = usePaletteOptions({
    query,
    projectRef,
    isAdmin: props.isAdmin,
    onChosen: () => props.onClose(true),
  });
  const count = groups.reduce((sum, group) => sum + group.options.length, 0);
  const isEmpty = count === 0 && !isFetching;
  return (
    <Modal
      opened
      onClose={() => props.onClose(false)}
      withCloseButton={false}
      returnFocus={false}
      size="lg"
      padding={0}
      yOffset="10dvh"
      attributes={{ content: { "aria-label": texts.palette } }}
    >
      <OptionList
        label={projectRef === undefined ? texts.searchEverything : texts.searchProject}
        focusesAtOnce
        query={query}
        onQuery={setQuery}
        groups={groups}
        isLoading={isFetching}
        note={
          error
            ? errorMessage(error)
            : isFetching
              ? ""
              : isEmpty
                ? texts.noMatch(query)
                : texts.matches(count)
        }
        isNoteShown={Boolean(error) || isEmpty}
      >
        <Group gap="md" px="sm" py={8} visibleFrom="xs" aria-hidden>
          {texts.paletteKeys.map(([key, what]) => (
            <Text key={key} size="xs" c="dimmed">
              <Kbd size="xs">{key}</Kbd> {what}
            </Text>
          ))}
          {projectRef === undefined && (
            <Text size="xs" c="dimmed">
              {texts.openProjectFirst}
            </Text>
          )}
        </Group>
      </OptionList>
    </Modal>
  );
}
