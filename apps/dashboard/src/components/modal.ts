/** What `dialog.tsx` loads when a dialog opens. */
export { Modal } from "@mantine/core";
