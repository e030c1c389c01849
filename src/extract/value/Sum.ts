/**
 * Which number of a text is a sum of money: the one beside a currency. And what the words beside a sum say that it is: the
 * price before a sale, a part of the price, what is saved.
 *
 * A text may have several: "Was $120.00 Now $60.00", "£1,500, deposit £200", "4 x $30.00 or $110.00".
 */
import { asciiDigits } from "./asciiDigits.ts"
import type * as Currency from "./Currency.ts"
import * as Numeral from "./Numeral.ts"

interface Sum {
  readonly numeral: Numeral.Numeral
  /** Whether a currency stands beside it. */
  readonly isBeside: boolean
  readonly role: Role | undefined
  /** Whether the text has another sum that may be meant as well. */
  readonly isOneOfMany: boolean
}

/** What a sum is, if it is not what something costs: the price before, a part such as a deposit, what is saved. */
export type Role = "former" | "part" | "saving"

/** The sum that a text is about: beside a currency, where any number is, and without a role, where any is. */
export const of = (written: string, marks: ReadonlyArray<Currency.Mark>): Sum | undefined => {
  const text = asciiDigits(written)
  const numerals = Numeral.all(text, maxNumbers).filter(({ to }) => !/^\s?[%％٪]/.test(text.slice(to, to + 2)))
  const beside = numerals.filter((numeral) => isBeside(text, numeral, marks))
  const all = beside.length > 0 ? beside : numerals
  const roles = all.map(({ from, to }, i) => roleOf(text, from, to, all[i - 1]?.to ?? 0))
  const plain = all.filter((_, i) => roles[i] === undefined)
  // A sum of nothing is what stands where a price is not known.
  const found = plain.find(({ value }) => value > 0) ?? all.find(({ value }) => value > 0) ?? all[0]
  if (found === undefined) return undefined
  // "26 to 50 €": the currency of the upper end is that of the lower.
  const numeral = lowerEnd(text, found, numerals) ?? found
  const others = plain.filter((other) => other !== found && other.value !== found.value)
  return {
    numeral,
    isBeside: beside.length > 0,
    role: roles[all.indexOf(found)],
    isOneOfMany: others.length > 0
  }
}

/** What the words before and behind a sum say that it is; `start`: where the sum before it ends. */
export const roleOf = (text: string, from: number, to: number, start = 0): Role | undefined => {
  const before = text.slice(Math.max(start, from - reach), from)
  const behind = text.slice(to, to + reach)
  if (formerly.test(before) || (/^\s*\S{0,3}\s*por\b/i.test(behind) && /\bde\s\S{0,3}\s*$/i.test(before)))
    return "former"
  if (saved.test(before) || savedBehind.test(behind)) return "saving"
  return partly.test(before) || times.test(before) || partlyBehind.test(behind) ? "part" : undefined
}

const reach = 40
const maxNumbers = 24

/** "99:-" has its mark behind; before a number it is punctuation. */
const isBeside = (text: string, { from, to }: Numeral.Numeral, marks: ReadonlyArray<Currency.Mark>): boolean =>
  marks.some((mark) =>
    mark.to <= from
      ? /[\p{L}\p{Sc}]/u.test(mark.text) && between.test(text.slice(mark.to, from))
      : mark.from >= to - 2 && between.test(text.slice(to, mark.from))
  )
const between = /^[\s:.,~≈*(\u00a0\u202f–-]{0,3}$/

const lowerEnd = (
  text: string,
  upper: Numeral.Numeral,
  numerals: ReadonlyArray<Numeral.Numeral>
): Numeral.Numeral | undefined => {
  const lower = numerals[numerals.indexOf(upper) - 1]
  return lower !== undefined && lower.value < upper.value && joined.test(text.slice(lower.to, upper.from))
    ? lower
    : undefined
}
const joined = /^[\s€$£]{0,3}(?:[-–—~～〜]|(?<!\p{L})(?:to|bis|a|à|and|until)(?!\p{L}))[\s€$£]{0,3}$/u

/** Words that end before a sum, with at most a sign and a colon between. */
const ending = (words: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})[\\s:.,(*]*(?:\\p{Sc}|[A-Z]{1,3}\\$?)?\\s*$`, "iu")

const formerly = ending(
  "was|before|formerly|previously|rrp|msrp|list price|retail price|(?:regular|original|old)(?:ly)?(?: price)?|instead of|statt|bisher|vorher|früher|uvp|avant|au lieu de|prix conseillé|antes|en (?:lugar|vez) de|prima|anziché|invece di|listino|voorheen|adviesprijs"
)
const saved = ending("save|saves|saving|savings|saved|sparen|ersparnis|économisez|ahorra[sn]?|risparmi|bespaar")
const savedBehind = /^\s*(?:off|discount|rabatt|de réduction|de descuento|di sconto|korting)(?!\p{L})/iu
const partWords =
  "(?:security |holding )?deposit(?: of)?|down ?payments?(?: of)?|instal?lments?(?: of)?|(?:monthly )?(?:re)?payments?(?: of)?|kaution|anzahlung|monatsraten?|mensualités?(?: de)?|acompte|caution|fianza|cuotas? de|acconto|caparra|cauzione|borg|aanbetaling"
const partly = ending(partWords)
const part = new RegExp(`(?<!\\p{L})(?:${partWords})(?!\\p{L})`, "iu")

/** Whether a name says that a sum is a part of a price: "Deposit", `monthly_payment`. */
export const isPartName = (name: string): boolean => part.test(name.replaceAll("_", " "))

/** "4 x", "12 monthly payments of". */
const times =
  /\d\s?(?:x|×|mal|fois|veces|raten (?:zu|von|à)|rate da|(?:[\p{L}-]+ ){0,2}payments? of)\s*(?:\p{Sc}|[A-Z]{1,3}\$?)?\s*$/iu
const partlyBehind =
  /^\s*(?:deposit|down ?payment|instal?lments?|(?:monthly )?repayments?|kaution|anzahlung|d['’]acompte|de caution|de fianza|di caparra|aanbetaling)(?!\p{L})/iu
