/**
 * Days as Chinese, Japanese and Korean write them: "2026年5月3日", "2026년 5월 3일", "令和8年5月3日", "民國115年5月3日",
 * "二〇二六年五月三日", "2026年（令和8年）5月3日", "R8.5.3", "民國115/05/03".
 */

/** All of them in a text whose digits are ASCII. */
export const all = (text: string, language?: string): ReadonlyArray<FoundDay> => {
  const isTaiwan = /^zh[-_](?:hant[-_])?tw/i.test(language ?? "")
  const days = [
    ...(/[年년]/.test(text) ? text.matchAll(written) : []),
    ...text.matchAll(counted),
    ...(isTaiwan ? text.matchAll(republican) : [])
  ]
  return days.flatMap((match): ReadonlyArray<FoundDay> => {
    const [whole, era, yearText = "", month = "", day = ""] = match
    const year = yearOf(era || (isTaiwan && /^1\d\d$/.test(yearText) ? "民國" : undefined), yearText)
    // A letter means an era in Japan, and the number of a version elsewhere.
    if (year === undefined || (/^[RHS]$/.test(era ?? "") && !/^ja\b/i.test(language ?? ""))) return []
    const to = match.index + whole.trimEnd().length
    return [{ year, month: numberOf(month), day: numberOf(day), from: match.index, to }]
  })
}

const written =
  /(?:(令和|平成|昭和|大正|明治|[㋿㍻㍼㍽㍾]|(?:中華)?民[國国]|西[元暦]|公元)\s*)?(?<!\d)(\d{1,4}|元|[〇零○一二三四五六七八九十]{1,4})\s*[年년]\s*(?:[（(][^（）()]{2,10}年?[）)]\s*)?(\d{1,2}|[一二三四五六七八九十]{1,3})\s*[月월]\s*(\d{1,2}(?!\d)|[一二三四五六七八九十廿]{1,3})\s*[日일号號]?/gu
/** An era and three numbers. */
const counted =
  /(令和|平成|昭和|[㋿㍻㍼]|民[國国]|(?<![\p{L}\d])[RHS])\s?(\d{1,3}|元)[./-](\d{1,2})[./-](\d{1,2})(?![\d./-])/gu

/** Three numbers on pages of Taiwan, whose years have three digits: "114/09/12". The group without text is the era. */
const republican = /(?<![\d./-])()(1\d\d)[./-](\d{1,2})[./-](\d{1,2})(?![\d./-])/g

/** The year before the first of an era. */
const eras: Readonly<Record<string, number>> = {
  令和: 2018,
  平成: 1988,
  昭和: 1925,
  大正: 1911,
  明治: 1867,
  "㋿": 2018,
  "㍻": 1988,
  "㍼": 1925,
  "㍽": 1911,
  "㍾": 1867,
  R: 2018,
  H: 1988,
  S: 1925
}
const republic = 1911

const yearOf = (era: string | undefined, text: string): number | undefined => {
  const year = text === "元" ? 1 : numberOf(text)
  if (era === undefined || era.startsWith("西") || era === "公元") return year >= 1000 ? year : undefined
  return (eras[era] ?? republic) + year
}

/** "12", "十二", "二〇二六". */
export const numberOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  const digits = text.replaceAll("廿", "二十")
  const ten = digits.indexOf("十")
  if (ten === -1) return Number(Array.from(digits, digitOf).join(""))
  const [tens, ones] = [digits.slice(0, ten), digits.slice(ten + 1)]
  return (tens === "" ? 1 : Number(digitOf(tens))) * 10 + (ones === "" ? 0 : Number(digitOf(ones)))
}

const digitOf = (char: string): string => {
  const at = "〇一二三四五六七八九".indexOf(char)
  return at === -1 ? "0" : String(at)
}

/** A day of a calendar, and one with its place in the text that says it. */
export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** `from` and `to`: characters of the text. */
export interface FoundDay extends CalendarDay {
  readonly from: number
  readonly to: number
}
