import { useId, useRef, useState } from "react";

/**
 * The state of a button whose menu, or other dropdown, is loaded on demand. Spread `buttonProps` into the button and `menuProps` into
 * Mantine's `Menu` or `Popover`, whose target is an `ExistingTarget`.
 *
 * @param load loads the menu's code. Called as soon as the pointer or the focus is on the button
 */
export function useLazyMenu(role: "menu" | "dialog", load: () => Promise<unknown>) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null!);
  const id = useId();
  // Opening the menu reports the error.
  const preload = () => void load().catch(() => undefined);
  const change = (opened: boolean) => {
    setOpened(opened);
    // Mantine returns the focus only from a dropdown that was mounted before it opened.
    if (!opened) target.current?.focus({ preventScroll: true });
  };
  return {
    opened,
    target,
    buttonProps: {
      ref: target,
      id,
      "aria-haspopup": role,
      "aria-expanded": opened,
      // Mantine gives this ID to the dropdown.
      "aria-controls": opened ? `${id}-dropdown` : undefined,
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => change(!opened),
    },
    menuProps: { id, opened, onChange: change, returnFocus: false },
  };
}
