import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

/** Waits until typing pauses, so that not every letter starts a search. */
const DEBOUNCE_MS = 300;

/** A search field. `value` is the search parameter in the address; `onSearch` must change it. */
export function SearchInput(props: { label: string; value: string; onSearch: (text: string) => void }) {
  const { label, value, onSearch } = props;
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  const search = useDebouncedCallback((text: string) => {
    setSent(text);
    onSearch(text);
  }, DEBOUNCE_MS);
  // Follow changes of `value` that come from elsewhere, such as the back button. A value that this component sent must not
  // replace letters that were typed since.
  if (value !== seen) {
    setSeen(value);
    setSent(value);
    if (value !== sent) setTyped(value);
  }
  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      maw={400}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
