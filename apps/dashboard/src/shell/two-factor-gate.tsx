import { lazy, type ReactNode, Suspense, useState } from "react";
import { trpc } from "../trpc.js";
import { loadChunk } from "../load-chunk.js";

const RequiredTwoFactor = lazy(async () => ({
  default: (await loadChunk(() => import("../features/account/required-two-factor.js"))).RequiredTwoFactor,
}));

/** Shows the page, or the set-up of two-step sign-in to an operator who must set it up before anything else. */
export function TwoFactorGate({ mustSetUp, children }: { mustSetUp: boolean; children: ReactNode }) {
  const utils = trpc.useUtils();
  // Stays true after the code was accepted, so that a refetch does not hide the backup codes before they are saved.
  const [isSettingUp, setIsSettingUp] = useState(mustSetUp);
  if (mustSetUp && !isSettingUp) setIsSettingUp(true);
  if (!isSettingUp) return children;
  const finish = async () => {
    await utils.session.me.refetch();
    setIsSettingUp(false);
  };
  return (
    <Suspense>
      <RequiredTwoFactor onDone={() => void finish()} />
    </Suspense>
  );
}
