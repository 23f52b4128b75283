import { type ReactNode, Suspense, useState } from "react";

/** Draws a dialog from its first opening on: what it is made of can be loaded then (`lazy`), and its closing is still seen. */
export function WhenOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(opened);
  if (opened && !wasOpened) setOpened(true);
  return wasOpened && <Suspense>{children}</Suspense>;
}
