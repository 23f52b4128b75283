import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

/** The search starts when the user has not typed for this long. A search for each letter would send too many requests. */
const DEBOUNCE_MS = 300;

/** A search field. `value` is the search text in the page's URL. `onSearch` must write the new text to the URL. */
export function SearchInput(props: { label: string; value: string; onSearch: (text: string) => void }) {
  const { label, value, onSearch } = props;
  const [typed, setTyped] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [lastSearch, setLastSearch] = useState(value);
  const search = useDebouncedCallback((text: string) => {
    setLastSearch(text);
    onSearch(text);
  }, DEBOUNCE_MS);
  // When `value` changes for another reason, such as the back button, the field shows it. When `value` is the text of the last
  // search, the field keeps its text: the user may have typed more letters since then.
  if (value !== lastValue) {
    setLastValue(value);
    setLastSearch(value);
    if (value !== lastSearch) setTyped(value);
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
