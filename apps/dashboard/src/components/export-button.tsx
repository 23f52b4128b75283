import { Button } from "@mantine/core";
import { IconFileTypeCsv } from "@tabler/icons-react";
import { common } from "../texts/common.js";

/** Takes a whole list along, filtered and sorted as it is shown: the service streams it. */
export function ExportButton(props: {
  list: "projects" | "audit";
  query: Record<string, string | undefined>;
}) {
  const query = Object.entries(props.query).filter((one): one is [string, string] => one[1] !== undefined);
  return (
    <Button
      variant="default"
      component="a"
      href={`/dashboard/export/${props.list}.csv?${new URLSearchParams(query)}`}
      download
      leftSection={<IconFileTypeCsv size={16} />}
    >
      {common.asCsv}
    </Button>
  );
}
