import { type Ref, type RefObject, useImperativeHandle } from "react";

/** The child of `Menu.Target` or `Popover.Target` for a button that was on the page before the menu was loaded. */
export function ExistingTarget({
  element,
  ref,
}: {
  element: RefObject<HTMLElement>;
  ref?: Ref<HTMLElement>;
}) {
  useImperativeHandle(ref, () => element.current, [element]);
  return null;
}
