import { Box, Button, Group, Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter, IconX } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { SearchInput } from "../../components/search-input.js";
import styles from "./filter-bar.module.css";
import { files as texts } from "../../texts/files.js";
import type { FileFilters, FilterChange } from "./files-search.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because calendars and selects are large.
const FilterPanel = lazy(async () => ({
  default: (await loadChunk(() => import("./filter-panel.js"))).FilterPanel,
}));

const noFilters = {
  q: undefined,
  tenantId: undefined,
  states: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
} satisfies FilterChange;

/** The filters of the list of files. On phones, a button shows the filters below the search field. */
export function FilterBar(props: { filters: FileFilters; onChange: (change: FilterChange) => void }) {
  const { filters, onChange } = props;
  const [isOpen, panel] = useDisclosure(false);
  const { q: _q, states: _states, ...panelFilters } = filters;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack component="search" aria-label={texts.filters} gap="xs" className={styles["bar"] ?? ""}>
      <Group gap="xs" className={styles["search"] ?? ""}>
        <Box flex={{ base: "1 1 140px", sm: "0 1 240px" }}>
          <SearchInput
            label={texts.searchName}
            value={filters.q ?? ""}
            onSearch={(q) => onChange({ q: q.trim() })}
          />
        </Box>
        <Button
          hiddenFrom="sm"
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={isOpen}
          onClick={panel.toggle}
        >
          {texts.filterCount(Object.keys(panelFilters).length)}
        </Button>
        {isFiltered && (
          <Button variant="subtle" leftSection={<IconX size={16} />} onClick={() => onChange(noFilters)}>
            {texts.clear}
          </Button>
        )}
      </Group>
      <Group gap="xs" align="flex-start" {...(isOpen ? {} : { visibleFrom: "sm" })}>
        <Suspense fallback={<Skeleton h={32} />}>
          <FilterPanel filters={filters} onChange={onChange} />
        </Suspense>
      </Group>
    </Stack>
  );
}
