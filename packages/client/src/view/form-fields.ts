/** Tells whether this is the first invalid field of the form, which gets the focus when the form is checked. */
export function isFirstInvalid(field: Element, form: HTMLFormElement | null): boolean {
  const fields = Array.from(form?.elements ?? []) as HTMLInputElement[];
  return fields.find(({ validity }) => validity && !validity.valid) === field;
}
