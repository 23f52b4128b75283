/** Texts of two days that limit a list. */
export const dayRange = {
  from: "From (UTC)",
  to: "To (UTC)",
  calendar: {
    previousMonth: "Previous month",
    nextMonth: "Next month",
    monthLevelControl: "Choose month",
    previousYear: "Previous year",
    nextYear: "Next year",
    yearLevelControl: "Choose year",
    previousDecade: "Previous decade",
    nextDecade: "Next decade",
  },
} as const;
