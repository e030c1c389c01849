/** Reads more from opening hours: `monday` "9–18" also gives `monday opens` and `monday closes`, and a `day` is a weekday. */
import { daysIn, endsOf } from "../value/WeekHours.ts"
import { weekdays } from "./Concepts.ts"
import * as Names from "./Names.ts"

/** The further names of a value, each with its part of the text. */
export const hoursFacets = (name: string, text: string): ReadonlyArray<readonly [name: string, data: string]> => {
  const own = Names.parse(name)
  const isDay = own.some(({ concept }) => weekdays.has(concept?.id ?? ""))
  const isHours = own.length === 1 && own[0]?.word === "hour"
  if (name === "day" || own[0]?.concept?.id === "weekday")
    return daysIn(text, undefined).length > 0 ? [["weekday", text]] : []
  const [opens, closes] = (isDay || isHours ? endsOf(text) : undefined) ?? []
  if (opens === undefined || closes === undefined) return []
  const of = isDay ? `${name} ` : ""
  return [
    [`${of}opens`, opens],
    [`${of}opening time`, opens],
    [`${of}closes`, closes],
    [`${of}closing time`, closes]
  ]
}
