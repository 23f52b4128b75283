import { AuthPage } from "../components/auth-page.js";
import { outageSentence, TryNowButton } from "../components/outage.js";
import { useServiceStatus } from "../service.js";
import { outage } from "../components/outage-texts.js";

/** Shown if the first load finds the service down, so it is not known who is signed in. The page opens when the service answers. */
export function OutagePage() {
  const status = useServiceStatus();
  const isOffline = status.state === "offline";
  return (
    <AuthPage
      title={isOffline ? outage.offlineTitle : outage.title}
      hint={
        isOffline ? outage.pageOpensOnline : `${outageSentence(status) ?? outage.failing} ${outage.pageOpens}`
      }
      hasOwnOutageText
    >
      {!isOffline && <TryNowButton />}
    </AuthPage>
  );
}
