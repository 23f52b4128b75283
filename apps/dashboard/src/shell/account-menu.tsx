import { Avatar, UnstyledButton } from "@mantine/core";
import { lazy } from "react";
import { MountOnOpen } from "../components/mount-on-open.js";
import { shell } from "../components/shell-texts.js";
import { useLazyMenu } from "../components/use-lazy-menu.js";
import { loadChunk } from "../load-chunk.js";

const load = async () => ({
  default: (await loadChunk(() => import("./account-menu-items.js"))).AccountMenuItems,
});
const AccountMenuItems = lazy(load);

/** The button of the operator's menu. */
export function AccountMenu(operator: { name: string; email: string; isAdmin: boolean }) {
  const menu = useLazyMenu("menu", load);
  return (
    <>
      <UnstyledButton {...menu.buttonProps} aria-label={shell.accountMenu(operator.name)}>
        {/* No initials: the visible text would differ from the label, and speech input users would say the wrong name. */}
        <Avatar color="gray" radius="xl" size={28} />
      </UnstyledButton>
      <MountOnOpen opened={menu.opened}>
        <AccountMenuItems {...operator} target={menu.target} menuProps={menu.menuProps} />
      </MountOnOpen>
    </>
  );
}
