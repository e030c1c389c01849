/**
 * The stem of an English word, by Porter's rules of 1980: "regulations", "regulated" and "regulation" are one.
 *
 * What has a digit, a letter of another script, or fewer than three letters stays as it is.
 */
export const stem = (word: string): string => (word.length < 3 || !/^[a-z]+$/.test(word) ? word : ended(word))

const ended = (word: string): string => {
  const stepped = [third, fourth].reduce((left, rules) => replaced(left, rules), second(first(word)))
  return last(fifth(stepped))
}

/** How many times vowels are followed by consonants. */
const measure = (part: string): number => shape(part).match(/VC/g)?.length ?? 0

/** "troubles" is "CVCVC": runs of consonants and of vowels. */
const shape = (part: string): string => {
  let runs = ""
  let before = ""
  for (const letter of part) {
    const isVowel = "aeiou".includes(letter) || (letter === "y" && before === "C")
    const kind = isVowel ? "V" : "C"
    if (kind !== before) runs += kind
    before = kind
  }
  return runs
}

const hasVowel = (part: string): boolean => shape(part).includes("V")
const isDouble = (part: string): boolean => /([^aeiou])\1$/.test(part)
/** Consonant, vowel, consonant at the end: "hop", and not "snow". */
const isShort = (part: string): boolean => /[^aeiouy][aeiouy][^aeiouwxy]$/.test(part)

/** Plurals, -ed, -ing, and a y behind a vowel. */
const first = (word: string): string => {
  const single = word
    .replace(/sses$/, "ss")
    .replace(/ies$/, "i")
    .replace(/([^s])s$/, "$1")
  const past = pastOf(single)
  return past.endsWith("y") && hasVowel(past.slice(0, -1)) ? `${past.slice(0, -1)}i` : past
}

const pastOf = (word: string): string => {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const [, part] = /^(.+?)(?:ed|ing)$/.exec(word) ?? []
  if (part === undefined || !hasVowel(part)) return word
  if (/(at|bl|iz)$/.test(part)) return `${part}e`
  if (isDouble(part) && !/[lsz]$/.test(part)) return part.slice(0, -1)
  return measure(part) === 1 && isShort(part) ? `${part}e` : part
}

type Rules = ReadonlyArray<readonly [suffix: string, other: string]>

const second = (word: string): string => replaced(word, longSuffixes)
const longSuffixes: Rules = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["alli", "al"],
  ["ator", "ate"],
  ["logi", "log"],
  ["bli", "ble"],
  ["eli", "e"]
]
const third: Rules = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""]
]
/** These go behind two measures, and -ion behind s or t. */
const fourth: Rules = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou"
  .split(" ")
  .map((suffix) => [suffix, ""] as const)

const replaced = (word: string, rules: Rules): string => {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const part = word.slice(0, -rule[0].length)
  if (rule[0] === "ion" && !/[st]$/.test(part)) return word
  return measure(part) > (rules === fourth ? 1 : 0) ? part + rule[1] : word
}

const fifth = (word: string): string => {
  if (!word.endsWith("e")) return word
  const part = word.slice(0, -1)
  const count = measure(part)
  return count > 1 || (count === 1 && !isShort(part)) ? part : word
}

const last = (word: string): string =>
  word.endsWith("ll") && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word
