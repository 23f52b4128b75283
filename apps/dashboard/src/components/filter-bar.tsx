import { Box, Button, Group, Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter, IconX } from "@tabler/icons-react";
import { type ReactNode, Suspense } from "react";
import { common } from "./common-texts.js";
import styles from "./filter-bar.module.css";
import { SearchInput } from "./search-input.js";

/** A search field and the filters of a list. On phones, a button shows the filters below the search field. */
export function FilterBar(props: {
  searchLabel: string;
  q: string | undefined;
  onSearch: (q: string) => void;
  /** How many filters are set, without the search. */
  filterCount: number;
  /** Removes the search and all filters. */
  onClear: () => void;
  /** The filters. They may be lazy. */
  children: ReactNode;
}) {
  const { searchLabel, q, onSearch, filterCount, onClear, children } = props;
  const [isOpen, panel] = useDisclosure(false);
  return (
    <Stack component="search" aria-label={common.filters} gap="xs" className={styles["bar"] ?? ""}>
      <Group gap="xs" className={styles["search"] ?? ""}>
        <Box flex={{ base: "1 1 140px", sm: "0 1 240px" }}>
          <SearchInput label={searchLabel} value={q ?? ""} onSearch={(text) => onSearch(text.trim())} />
        </Box>
        <Button
          hiddenFrom="sm"
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={isOpen}
          onClick={panel.toggle}
        >
          {common.filterCount(filterCount)}
        </Button>
        {(q !== undefined || filterCount > 0) && (
          <Button variant="subtle" leftSection={<IconX size={16} />} onClick={onClear}>
            {common.clearFilters}
          </Button>
        )}
      </Group>
      <Group gap="xs" align="flex-start" {...(isOpen ? {} : { visibleFrom: "sm" })}>
        <Suspense fallback={<Skeleton h={32} />}>{children}</Suspense>
      </Group>
    </Stack>
  );
}
