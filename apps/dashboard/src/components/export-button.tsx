import { Button } from "@mantine/core";
import { IconFileTypeCsv } from "@tabler/icons-react";
import { common } from "../texts/common.js";

/** Takes a whole list along, filtered and sorted as it is shown, from its first page: the service streams it. */
export function ExportButton(props: {
  list: "projects" | "files" | "tenants" | "audit";
  query: Record<string, string | string[] | undefined>;
}) {
  const { cursor: _, ...query } = props.query;
  const said = Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return (
    <Button
      variant="default"
      component="a"
      href={`/dashboard/export/${props.list}.csv?${new URLSearchParams(said)}`}
      download
      leftSection={<IconFileTypeCsv size={16} />}
    >
      {common.asCsv}
    </Button>
  );
}
