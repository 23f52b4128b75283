export function renderStyles(sheet: string): string;
