import { useMemo } from "react";
import type { UploadItem } from "../core/upload-item.js";
import type { ItemCommands } from "./item-actions.js";
import { ItemRow } from "./item-row.js";
import type { UploadLabels } from "./labels.js";

interface ItemListProps extends ItemCommands {
  items: readonly UploadItem[];
  labels: UploadLabels;
  locale: string;
}

export function ItemList({ items, labels, locale, cancel, retry, remove }: ItemListProps) {
  const names = useMemo(() => uniqueNames(items), [items]);
  if (items.length === 0) return null;
  return (
    // The role is said again because Safari takes it from a list without markers.
    <ul className="stowage-list" role="list" aria-label={labels.list}>
      {items.map((item, index) => (
        <ItemRow
          key={item.id}
          item={item}
          name={names[index] ?? item.name}
          {...{ labels, locale, cancel, retry, remove }}
        />
      ))}
    </ul>
  );
}

/** A second `photo.jpg` is spoken of as `photo.jpg (2)`: two buttons of one name cannot be told apart by ear. */
function uniqueNames(items: readonly UploadItem[]): string[] {
  const seen = new Map<string, number>();
  return items.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
