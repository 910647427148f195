/**
 * How much of digits in groups is the number of a card: all, or as many groups as make one. What follows a number is often
 * the month it ends or its check digits.
 */
export function cardNumberLength(written: string): number {
  let end = written.length;
  while (end > 0) {
    if (isCardNumber(written.slice(0, end).replace(/\D/g, ''))) return end;
    end = written.slice(0, end).search(/\D\d*$/);
  }
  return 0;
}

/** Luhn's sum, on 13 to 19 digits that are not one digit again and again. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false;
  if (digits.startsWith('2') && !isSecondMastercardRange(digits)) return false;
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Nothing else that begins with 2 is a card: most of it are times and running numbers. */
function isSecondMastercardRange(digits: string): boolean {
  const range = Number(digits.slice(0, 4));
  return digits.length === 16 && range >= 2221 && range <= 2720;
}
