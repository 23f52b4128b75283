import { Group, Kbd, Text, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useRef, useState } from "react";
import { loadChunk } from "../load-chunk.js";
import { shell } from "../texts/shell.js";
import styles from "./quick-access.module.css";
import { paletteKeys, useShortcuts } from "./shortcuts.js";

const CommandPalette = lazy(async () => ({
  default: (await loadChunk(() => import("./command-palette.js"))).CommandPalette,
}));
const ShortcutsDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./shortcuts-dialog.js"))).ShortcutsDialog,
}));

/** The button of the command palette, and what the keyboard shortcuts open. */
export function QuickAccess({ isAdmin }: { isAdmin: boolean }) {
  const [opened, setOpened] = useState<"palette" | "help" | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const open = (what: "palette" | "help") => {
    opener.current = document.activeElement as HTMLElement | null;
    setOpened(what);
  };
  // Mantine returns the focus only from a dialog that was mounted before it opened. A page that was just opened gets the focus.
  const close = (hasMoved: boolean) => {
    setOpened(null);
    const target = hasMoved ? document.getElementById("content") : opener.current;
    setTimeout(() => target?.focus({ preventScroll: true }));
  };
  useShortcuts({ palette: () => open("palette"), help: () => open("help") });
  return (
    <>
      <UnstyledButton
        className={styles["button"] ?? ""}
        onClick={() => open("palette")}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} aria-hidden />
        <Text span size="sm" c="dimmed" className={styles["text"] ?? ""}>
          {shell.search}
        </Text>
        <Group gap={2} wrap="nowrap" visibleFrom="sm">
          {paletteKeys().map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </Group>
      </UnstyledButton>
      <Suspense>
        {opened === "palette" && <CommandPalette isAdmin={isAdmin} onClose={close} />}
        {opened === "help" && <ShortcutsDialog onClose={() => close(false)} />}
      </Suspense>
    </>
  );
}
