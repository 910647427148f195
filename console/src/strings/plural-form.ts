/**
 * The form of a text for a plural category. Two forms are one and all others; languages that say millions differently, such
 * as Spanish, put that form between them.
 */
export function pluralForm(text: string, category: Intl.LDMLPluralRule): string {
  const forms = text.split('|');
  const last = forms.at(-1) ?? text;
  if (category === 'one') return forms[0] ?? text;
  return category === 'many' && forms.length === 3 ? (forms[1] ?? last) : last;
}
