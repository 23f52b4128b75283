/** Texts of the question before a page with unsaved changes is left. */
export const unsaved = {
  title: "Leave without saving?",
  hint: "Your changes on this page are not saved. They are lost if you leave it.",
  leave: "Leave without saving",
  stay: "Stay on this page",
} as const;
