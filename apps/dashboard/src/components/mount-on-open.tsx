import { type ReactNode, Suspense, useState } from "react";

/** Mounts a lazy dialog when it first opens. Keeps it mounted afterwards, so that its closing animation is shown. */
export function MountOnOpen({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(opened);
  if (opened && !wasOpened) setOpened(true);
  return wasOpened && <Suspense>{children}</Suspense>;
}
