/** Texts for the time in which the browser has no network or the service does not answer. */
export const outage = {
  offline: "You are offline.",
  unreachable: "The service cannot be reached.",
  failing: "The service does not answer at the moment.",
  /** Follows one of the sentences above. */
  keepsData: "Pages show what was loaded before. They update by themselves when the service answers again.",
  keepsDataOffline: "Pages show what was loaded before. They update when you are online again.",
  tryNow: "Try now",
  title: "Stowage is not available",
  offlineTitle: "You are offline",
  pageOpens: "This page opens by itself when the service answers again.",
  pageOpensOnline: "This page opens by itself when you are online again.",
  loadsLater: "Not loaded. This loads by itself when the service answers again.",
  loadsOnline: "Not loaded. This loads when you are online again.",
  nothingChanged: "Nothing was changed. Try again later.",
  isChangeUnknown: "It is unknown whether the change was made. Check that before you try again.",
  notSignedIn: "You could not be signed in. Try again later.",
} as const;
