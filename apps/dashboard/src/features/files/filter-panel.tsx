import { Box, Select } from "@mantine/core";
import { DayRange } from "../../components/day-range.js";
import { SearchInput } from "../../components/search-input.js";
import { files as texts } from "../../components/files/files-texts.js";
import { type FilterChange, type FileFilters, kinds } from "./files-search.js";

/** All filters except the search by name and the state. */
export function FilterPanel(props: { filters: FileFilters; onChange: (change: FilterChange) => void }) {
  const { filters, onChange } = props;
  return (
    <>
      <Box w={{ base: "100%", sm: 160 }}>
        <SearchInput
          label={texts.tenantFilter}
          value={filters.tenantId ?? ""}
          onSearch={(tenantId) => onChange({ tenantId })}
        />
      </Box>
      <Box w={{ base: "100%", sm: 160 }}>
        <SearchInput
          label={texts.folderFilter}
          value={filters.folder ?? ""}
          // A slash at the end is there while a person types the next segment.
          onSearch={(folder) => onChange({ folder: folder.replace(/\/+$/, "") })}
        />
      </Box>
      <Select
        aria-label={texts.kind}
        placeholder={texts.anyKind}
        data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        value={filters.kind ?? null}
        onChange={(kind) => onChange({ kind: kind ?? undefined })}
        clearable
        w={{ base: "100%", sm: 120 }}
      />
      <DayRange from={filters.from} to={filters.to} onChange={onChange} />
    </>
  );
}
