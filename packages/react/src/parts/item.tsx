"use client";

import type { Happened } from "./standing.js";
import { type PartProps, useItem } from "./upload-context.js";

/** One file of the list. */
export function UploadRowItem(props: PartProps) {
  const { item, position } = useItem();
  const { retry, error }: Happened & { id: string } = item;
  return (
    <li
      data-id={item.id}
      data-status={item.status}
      data-error={error && ""}
      data-retrying={retry && ""}
      tabIndex={-1}
      {...position}
      {...props}
    />
  );
}
