/** Texts about a project's API key. */
export const key = {
  title: "API key",
  hint: "Your backend calls the service with this key. Keep it on a server, never in a browser.",
  key: "Key",
  hiddenPart: "(the rest is not stored)",
  createdAt: "Created",
  lastUsedAt: "Last used",
  neverUsed: "Never",
  regenerate: "Regenerate key",
  regenerateHint: "Replace the key if it was lost or exposed.",
  ownersOnly: "Only owners of the project can regenerate its key.",
  regenerateTitle: "Regenerate the key?",
  regenerateWarning:
    "The old key stops working immediately. Your backend's requests are rejected until it uses the new key. This cannot be undone.",
  regenerateAction: "Regenerate now",
  newKeyTitle: "Your API key",
  shownOnce: "This key is shown only once",
  shownOnceHint:
    "Copy it to the place where your backend keeps its secrets. Stowage stores only a hash of the key. A lost key cannot be recovered, only replaced.",
  label: "API key",
  copy: "key",
  saved: "I have saved the key",
} as const;
