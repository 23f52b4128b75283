/** A project's API key: what may be known of it, and the one time that it is seen. */
export const key = {
  title: "API key",
  hint: "Your backend calls the service with it. It belongs on a server, never in a browser.",
  key: "Key",
  hidden: "the rest is kept nowhere",
  createdAt: "Created",
  lastUsedAt: "Last used",
  lastUsedHint: "to the minute or so",
  notYet: "not yet",
  regenerate: "Regenerate key",
  regenerateHint: "Lost it, or somebody has seen it who should not? Replace it with a new one.",
  ownersOnly: "Only owners of the project can regenerate its key.",
  regenerateTitle: "Regenerate the key?",
  regenerateWarning:
    "The old key stops working at once: everything that uses it is refused until it has the new one. This cannot be undone.",
  regenerateAction: "Regenerate now",
  shownTitle: "Your API key",
  shownOnce: "This key is shown once",
  shownOnceHint:
    "Copy it to where your backend keeps its secrets. It is kept nowhere else: once this is closed, nobody can see it again, and a lost key can only be replaced.",
  shown: "API key",
  copy: "key",
  stored: "I have stored it",
} as const;
