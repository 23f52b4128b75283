import { DatePickerInput } from "@mantine/dates";
import { IconCalendar } from "@tabler/icons-react";
import { dayRange as texts } from "./day-range-texts.js";

/** Two optional days that limit a list. */
export function DayRange(props: {
  from: string | undefined;
  to: string | undefined;
  onChange: (change: { from?: string | undefined; to?: string | undefined }) => void;
}) {
  const { from, to, onChange } = props;
  const shared = {
    clearable: true,
    valueFormat: "D MMM YYYY",
    ariaLabels: texts.calendar,
    leftSection: <IconCalendar size={16} />,
    w: { base: "100%", sm: 150 },
  } as const;
  return (
    <>
      <DatePickerInput
        {...shared}
        aria-label={texts.from}
        placeholder={texts.from}
        value={from ?? null}
        {...(to === undefined ? {} : { maxDate: to })}
        onChange={(day) => onChange({ from: day ?? undefined })}
      />
      <DatePickerInput
        {...shared}
        aria-label={texts.to}
        placeholder={texts.to}
        value={to ?? null}
        {...(from === undefined ? {} : { minDate: from })}
        onChange={(day) => onChange({ to: day ?? undefined })}
      />
    </>
  );
}
