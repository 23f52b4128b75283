interface ProgressBarProps {
  /** Of the file, for those who cannot see which row the bar is in. */
  name: string;
  /** 0 to 1; null while there is nothing to count. */
  value: number | null;
  valueText: string;
}

export function ProgressBar({ name, value, valueText }: ProgressBarProps) {
  const percent = value === null ? null : Math.floor(value * 100);
  return (
    <div
      className="stowage-progress"
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      aria-valuetext={valueText}
      data-indeterminate={percent === null ? "" : undefined}
    >
      <div
        className="stowage-progress-bar"
        style={{ inlineSize: percent === null ? undefined : `${percent}%` }}
      />
    </div>
  );
}
