import { Button } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { common } from "../texts/common.js";

/** The way out of a list's address that the service refuses as it stands: to the first page, or else to the list without filters. */
export function BeginAgain() {
  const { cursor, ...filters } = useSearch({ strict: false });
  const navigate = useNavigate();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (cursor === undefined && !isFiltered) return null;
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void navigate({ to: ".", search: cursor === undefined ? {} : filters, replace: true })}
    >
      {cursor === undefined ? common.withoutFilters : common.firstPage}
    </Button>
  );
}
