/** The dates in a text, as written: with a year, in figures or with the name of the month. */

import * as Day from "../../value/Day.ts"

interface Written {
  readonly text: string
  readonly at: number
}

export const datesIn = (text: string): ReadonlyArray<Written> => {
  const found: Array<Written> = []
  for (const match of text.matchAll(date)) {
    const month = match[1] ?? match[2]
    if (month !== undefined && !months.has(stem(month))) continue
    if (!isCut(text, match.index, match.index + match[0].length)) found.push({ text: match[0], at: match.index })
  }
  return found
}

/** Whether it is one end of a range whose other end is cut off: "12.–14. September 2025" has no date. */
const isCut = (text: string, from: number, to: number): boolean =>
  /[-–—~～〜/&+至到から부터]|\p{L}\s*$/u.test(text.slice(Math.max(0, from - 4), from) + text.slice(to, to + 8)) &&
  Day.all(text.slice(Math.max(0, from - around), to + around)).some((day, i, days) => day.to === days[i + 1]?.from)

const around = 40

/** ISO with or without time; 1. May 2024, 1 de mayo de 2024; May 1, 2024; May 2024; 1.5.2024, 5/1/2024; 2024年5月1日. */
const date = new RegExp(
  [
    "(?<![\\d-])\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?(?![\\d])",
    "(?<!\\d)\\d{1,2}(?:st|nd|rd|th|er|\\.|º)?\\s{1,2}(?:de\\s)?(\\p{L}{3,12})\\.?,?\\s{1,2}(?:de\\s)?\\d{4}(?!\\d)",
    "(?<!\\p{L})(\\p{L}{3,12})\\.?\\s{1,2}(?:\\d{1,2}(?:st|nd|rd|th)?,?\\s{1,2})?\\d{4}(?!\\d)",
    "(?<![\\d./-])\\d{1,2}[./-]\\d{1,2}[./-]\\d{4}(?![\\d./-]\\d)",
    "(?<![\\d./-])\\d{4}/\\d{1,2}/\\d{1,2}(?!\\d)",
    "\\d{4}\\s?年\\s?\\d{1,2}\\s?月(?:\\s?\\d{1,2}\\s?日)?"
  ].join("|"),
  "gu"
)

const stem = (word: string): string => word.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "")

/** Names of months and their short forms, without accents. */
const months = new Set(
  (
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep " +
    "sept oct nov dec januar janner februar marz mai juni juli oktober dezember mrz okt dez janvier fevrier mars avril juin " +
    "juillet aout septembre octobre novembre decembre janv fevr avr juil enero febrero marzo abril mayo junio julio agosto " +
    "septiembre octubre noviembre diciembre ene abr ago dic gennaio febbraio aprile maggio giugno luglio settembre ottobre " +
    "dicembre gen mag giu lug set ott janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro fev out " +
    "januari februari maart mei augustus maj juni oktober december januari augusti styczen stycznia luty lutego marzec marca " +
    "kwiecien kwietnia maja czerwiec czerwca lipiec lipca sierpien sierpnia wrzesien wrzesnia pazdziernik pazdziernika " +
    "listopad listopada grudzien grudnia января февраля марта апреля мая июня июля августа сентября октября ноября декабря"
  ).split(" ")
)
