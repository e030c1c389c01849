/**
 * Words beside a time that say which half of the day it is in, before it or behind: "3:05 مساءً", "शाम 5:30", "3:05 CH",
 * "ÖS 3:05", "9:30 вечера".
 */

interface Half {
  readonly isLate: boolean
  /** Whether it is the night, whose first hours belong to the next day. */
  readonly isNight: boolean
  readonly from: number
  readonly to: number
}

/** The word that stands before or behind `from` to `to`. */
export const near = (text: string, from: number, to: number): Half | undefined => {
  const before = wordBefore.exec(text.slice(Math.max(0, from - 20), from))
  const own = halfOf(before?.[1], from - (before?.[0].length ?? 0), from)
  if (own !== undefined) return own
  const behind = wordBehind.exec(text.slice(to, to + 20))
  return halfOf(behind?.[1], to, to + (behind?.[0].length ?? 0))
}

/** 0 to 24: an hour that is said with its half. */
export const hourOf = (hour: number, { isLate, isNight }: Half): number => {
  if (hour > 12) return hour
  if (isNight) return hour === 12 ? 0 : hour < 6 ? hour : hour + 12
  if (isLate) return hour < 12 ? hour + 12 : hour
  return hour === 12 ? 0 : hour
}

const halfOf = (word: string | undefined, from: number, to: number): Half | undefined => {
  const plain = word?.normalize("NFC").replaceAll(/[\u064b-\u0652]/g, "")
  if (plain === undefined || !(early.has(plain) || late.has(plain) || night.has(plain))) return undefined
  return { isLate: late.has(plain), isNight: night.has(plain), from, to }
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const early = setOf("صباحا صباح الصبح صبح सुबह सकाळी সকাল ÖÖ SA sáng утра ранку पूर्वाह्न")
const late = setOf("مساء ظهرا عصرا عصر शाम दोपहर अपराह्न संध्या দুপুর বিকাল সন্ধ্যা ÖS CH chiều вечера вечора дня")
const night = setOf("ليلا شب रात রাত tối đêm ночи ночі")

const wordBefore = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{2,10})[\s,:]{1,2}$/u
const wordBehind = /^\s?([\p{L}\p{M}]{2,10})(?![\p{L}\p{M}])/u
