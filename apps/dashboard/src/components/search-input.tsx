import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

/** Long enough to type a word without asking for each of its letters. */
const PAUSE_MS = 300;

/** A search that begins by itself once somebody pauses; what is searched for lives in the address. */
export function SearchInput(props: { label: string; value: string; onSearch: (text: string) => void }) {
  const { label, value, onSearch } = props;
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  const search = useDebouncedCallback((text: string) => {
    setSent(text);
    onSearch(text);
  }, PAUSE_MS);
  // The back button changes what is searched for, too; what we sent ourselves must not overtake the next letter.
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
