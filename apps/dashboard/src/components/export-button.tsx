import { Button } from "@mantine/core";
import { IconFileTypeCsv } from "@tabler/icons-react";
import { basePath } from "../base-path.js";
import { common } from "./common-texts.js";

/** Downloads all pages of a list as CSV, with the current filters and sort order. */
export function ExportButton(props: {
  list: "projects" | "files" | "tenants" | "audit";
  query: Record<string, string | string[] | undefined>;
}) {
  const { cursor: _, ...query } = props.query;
  const params = Object.entries(query).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return (
    <Button
      variant="default"
      component="a"
      href={`${basePath}/dashboard/export/${props.list}.csv?${new URLSearchParams(params)}`}
      download
      leftSection={<IconFileTypeCsv size={16} />}
    >
      {common.exportCsv}
    </Button>
  );
}
