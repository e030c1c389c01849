/**
 * Digits of every script as ASCII: "١٢٫٥" is "12.5", "２０２６" is "2026". The length stays, so places in the text do too.
 */
export const asciiDigits = (text: string): string =>
  foreign.test(text) ? text.replaceAll(each, (char) => separators[char] ?? digitOf(char)) : text

/** Digits of the scripts of the world that are one character each, and the separators of Arabic and of full width. */
const foreign = /[\p{Nd}٫٬](?<![0-9])/u
const each = /[\p{Nd}٫٬]|(?<=[０-９])[，．／－：](?=[０-９])/gu

const separators: Readonly<Record<string, string>> = {
  "٫": ".",
  "٬": ",",
  "，": ",",
  "．": ".",
  "／": "/",
  "－": "-",
  "：": ":"
}

/** Digits of a script stand in a row of ten, and the row begins where the character before is not a digit. */
const digitOf = (char: string): string => {
  if (char <= "9" || char.length > 1) return char
  const known = digits.get(char)
  if (known !== undefined) return known
  const code = char.charCodeAt(0)
  let value = 0
  while (value < 9 && isDigit.test(String.fromCharCode(code - value - 1))) value++
  const digit = String(value)
  digits.set(char, digit)
  return digit
}

const digits = new Map<string, string>()
const isDigit = /^\p{Nd}$/u
