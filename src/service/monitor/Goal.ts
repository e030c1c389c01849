/**
 * Reads a goal: the words that it names, and the words that it excludes.
 *
 * "Prices and fees, but ignore opening hours" names prices and fees. An exclusion ends with its clause: in "do not tell me
 * about cookies; only prices", prices are wanted. "not available" excludes nothing. The word for prices is known in some
 * languages; the rest of a goal is read as English.
 */
import { isDull } from "#base/dullWords"
import * as Words from "#base/Words"

interface Goal {
  readonly wanted: ReadonlySet<string>
  readonly ignored: ReadonlySet<string>
  readonly kinds: ReadonlyArray<Kind>
}

/** A kind of values that goals can name, and the pattern of such values. */
export interface Kind {
  readonly name: string
  readonly values: RegExp
}

export const read = (goal: string): Goal => {
  const clauses = goal.split(clauseEnd).map((clause) => clause.split(leftOut))
  const positive = clauses.map(([wanted = ""]) => wanted).join(" ")
  const negative = clauses.flatMap(([, ...rest]) => rest).join(" ")
  const ignored = new Set(Words.wordsOf(negative).filter(isTelling))
  const wanted = new Set(Words.wordsOf(positive).filter(isTelling))
  for (const word of ignored) wanted.delete(word)
  return { ignored, wanted, kinds: kinds.filter(({ named }) => named.test(positive)) }
}

const clauseEnd = /[.;!?\n]+|,\s*(?=only\b)|\s+(?=(?:but|and)\s+only\b)/i
const leftOut =
  /\b(?:ignor(?:e|ing)|except(?: for)?|but not|excluding|unless|other than|not about|(?:do not|don't|never|no need to) (?:tell|alert|notify|inform|report|care|bother|send|show|include|track|watch|want))\b|,\s*not\b/i

const isTelling = (word: string): boolean => word.length > 2 && !isDull(word) && !vague.has(word)

/** Words in goals that do not name anything. */
const vague = new Set(
  "alert notify tell let know watch monitor track change changed changing update updated new any anything something important meaningful major significant minor content site website text section added removed appear publish published report want care only also about when whenever happen become only detect matter item thing user more less".split(
    " "
  )
)

const sign = String.raw`(?:\p{Sc}|(?:usd|eur|gbp|chf|jpy|cny|inr|sek|nok|dkk|pln|czk|dollars?|euros?|pounds?|francs?|rupees?|kr|zł|kč|руб|грн|円|元|원|บาท|دينار|درهم|ريال)(?![\p{L}\d]))`
const sum = String.raw`\p{Nd}[\p{Nd}.,'’]{0,20}`

const kinds = [
  {
    name: "price",
    named:
      /\b(?:pric\w*|cost\w*|fees?|cheaper|discount\w*|tariffs?|rates?)\b|preis|gebühr|kosten|prix|tarif|precio|prezz|preço|цен[аыеу]|тариф|سعر|أسعار|رسوم|价格|價格|価格|料金|가격|요금|ราคา|ค่าธรรมเนียม/iu,
    values: new RegExp(`${sum}\\s?${sign}|${sign}\\s?${sum}`, "giu")
  },
  {
    name: "date",
    named: /\b(?:dates?|deadlines?|when|schedul\w*|closing|due|expir\w*)\b/i,
    values:
      /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?\.?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.?(?:\s\d{4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.?\s\d{1,2}(?:,?\s\d{4})?)\b/giu
  },
  {
    name: "version",
    named: /\b(?:versions?|releases?|changelog)\b/i,
    values: /\bv?\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?\b/gi
  },
  {
    name: "number",
    named: /\b(?:numbers?|amounts?|counts?|how many|quantit\w*|figures?|stock|availab\w*)\b/i,
    values: /\b\d[\d.,]*\b/g
  },
  {
    name: "availability",
    named: /\b(?:stock|availab\w*|sold out|back)\b/i,
    values: /\b(?:(?:in|out of) stock|sold out|(?:un|not )?available|backorder\w*|pre-?order\w*)\b/gi
  }
]
