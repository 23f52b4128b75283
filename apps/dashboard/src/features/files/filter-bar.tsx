import { Box, Button, Group, MultiSelect, Select, Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter, IconX } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { SearchInput } from "../../components/search-input.js";
import { files as texts } from "../../texts/files.js";
import { type FileFilters, kinds, listedStatuses } from "./files-search.js";

/** Calendars are a lot of code, and most visits need none. */
const DayRange = lazy(async () => ({ default: (await import("./day-range.js")).DayRange }));

const noFilters = {
  q: undefined,
  tenantId: undefined,
  statuses: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
} satisfies Change;

type Change = { [Name in keyof FileFilters]?: FileFilters[Name] | undefined };

/** Which files are listed. On a phone all but the search is behind a button. */
export function FilterBar(props: { filters: FileFilters; onChange: (change: Change) => void }) {
  const { filters, onChange } = props;
  const [isOpen, panel] = useDisclosure(false);
  const { q: _, ...others } = filters;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack component="search" aria-label={texts.filters} gap="sm">
      <Group gap="sm">
        <Box flex={{ base: "1 1 140px", sm: "0 1 400px" }}>
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
          {texts.filtersOn(Object.keys(others).length)}
        </Button>
        {isFiltered && (
          <Button variant="subtle" leftSection={<IconX size={16} />} onClick={() => onChange(noFilters)}>
            {texts.clear}
          </Button>
        )}
      </Group>
      <Group gap="sm" align="flex-start" {...(isOpen ? {} : { visibleFrom: "sm" })}>
        <Box w={{ base: "100%", sm: 190 }}>
          <SearchInput
            label={texts.tenantFilter}
            value={filters.tenantId ?? ""}
            onSearch={(tenantId) => onChange({ tenantId })}
          />
        </Box>
        <MultiSelect
          aria-label={texts.status}
          placeholder={filters.statuses ? "" : texts.anyStatus}
          data={listedStatuses.map((value) => ({ value, label: texts.statuses[value] }))}
          value={filters.statuses ?? []}
          onChange={(chosen) =>
            onChange({ statuses: listedStatuses.filter((status) => chosen.includes(status)) })
          }
          clearable
          w={{ base: "100%", sm: 190 }}
        />
        <Select
          aria-label={texts.kind}
          placeholder={texts.anyKind}
          data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
          value={filters.kind ?? null}
          onChange={(kind) => onChange({ kind: kind ?? undefined })}
          clearable
          w={{ base: "100%", sm: 130 }}
        />
        <Suspense fallback={<Skeleton w={332} h={36} />}>
          <DayRange from={filters.from} to={filters.to} onChange={onChange} />
        </Suspense>
      </Group>
    </Stack>
  );
}
