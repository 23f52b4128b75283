import { Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useParams, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { isOutage } from "../call-errors.js";
import { Brand } from "../components/brand.js";
import { Loaded } from "../components/loaded.js";
import { OutageBanner } from "../components/outage.js";
import { useServiceStatus } from "../service.js";
import { common } from "../components/common-texts.js";
import { shell } from "../components/shell-texts.js";
import { serviceErrorOf, trpc } from "../trpc.js";
import { AccountMenu } from "./account-menu.js";
import { OutagePage } from "./outage-page.js";
import { ProjectMenu } from "./project-menu.js";
import { QuickAccess } from "./quick-access.js";
import styles from "./signed-in.module.css";
import { TwoFactorGate } from "./two-factor-gate.js";

/** Layout of all pages that require a session. Without a session it opens the sign-in page, which leads back here. */
export function SignedIn() {
  const me = trpc.session.me.useQuery();
  const { state } = useServiceStatus();
  const router = useRouter();
  const isSignedOut = serviceErrorOf(me.error)?.code === "signed_out";
  // Depends on the time of the error, so that each new error redirects again, even after a blocked navigation.
  const signedOutAt = isSignedOut ? me.errorUpdatedAt : 0;
  useEffect(() => {
    if (signedOutAt === 0) return;
    const { href, pathname } = router.state.location;
    // Several calls can fail at the same time. The later ones find the sign-in page, while this page is still mounted.
    if (pathname === "/sign-in") return;
    void router.navigate({ to: "/sign-in", search: href === "/" ? {} : { to: href }, replace: true });
  }, [signedOutAt, router]);
  // A session that ends while a page is open leaves the page mounted: it may show a new API key, which is shown only once.
  if (isSignedOut && me.data === undefined) return null;
  // A repeated call has no error while it runs. The page of the outage stays meanwhile.
  const isRepeatedInOutage = me.isPending && state !== "answering";
  if (me.data === undefined && (isOutage(me.error) || me.isPaused || isRepeatedInOutage))
    return <OutagePage />;
  return (
    <Loaded query={me}>
      {(operator) => (
        <TwoFactorGate mustSetUp={operator.mustSetUpTwoFactor}>
          <Shell name={operator.name} email={operator.email} isAdmin={operator.isAdmin} />
        </TwoFactorGate>
      )}
    </Loaded>
  );
}

function Shell(operator: { name: string; email: string; isAdmin: boolean }) {
  const { projectRef } = useParams({ strict: false });
  const [isMenuOpen, menu] = useDisclosure();
  const hasMenu = projectRef !== undefined;
  return (
    <div className={styles["shell"]}>
      <a className="skip-link" href="#content">
        {common.skipToContent}
      </a>
      <header className={styles["header"]}>
        <Group gap="sm" wrap="nowrap">
          {hasMenu && (
            <Burger
              hiddenFrom="sm"
              size="sm"
              opened={isMenuOpen}
              onClick={menu.toggle}
              aria-label={isMenuOpen ? shell.closeMenu : shell.openMenu}
              aria-expanded={isMenuOpen}
            />
          )}
          <Link to="/" aria-label={`${common.product}: ${shell.projects}`} style={{ textDecoration: "none" }}>
            <Brand />
          </Link>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <QuickAccess isAdmin={operator.isAdmin} />
          <AccountMenu {...operator} />
        </Group>
      </header>
      {hasMenu && (
        <nav className={styles["menu"]} data-open={isMenuOpen || undefined} aria-label={shell.projectMenu}>
          <ProjectMenu projectRef={projectRef} onNavigate={menu.close} />
        </nav>
      )}
      <main id="content" tabIndex={-1} className={styles["content"]}>
        <OutageBanner />
        <Outlet />
      </main>
    </div>
  );
}
