/**
 * Words that multiply the number before them: "3,4 million", "12 тыс.", "2.3 crore", "1万2800", "1만 5천".
 *
 * A word that means different numbers in different languages, or something else too, counts only beside money.
 */

interface Scaled {
  readonly value: number
  /** Where the number ends: behind its words. */
  readonly to: number
}

/** A number of a text whose digits are ASCII, with the words that stand behind it. */
export const behind = (text: string, value: number, to: number): Scaled => {
  const next = text.slice(to, to + 4)
  if (counted.test(next)) return counting(text, value, to)
  const match = word.exec(text.slice(to, to + 20))
  const scaleWord = match?.[1] ?? match?.[2]
  if (match === null || scaleWord === undefined || (beside.has(scaleWord) && !money.test(text))) return { value, to }
  const factor = factors.get(scaleWord) ?? factors.get(scaleWord.toLowerCase().replace(/\.$/, "")) ?? 1
  return factor === 1 ? { value, to } : { value: times(value, factor), to: to + match[0].length }
}

/** Multiplied so that 1.2 million is 1200000, without dust of binary fractions. */
const times = (value: number, factor: number): number => Number((value * factor).toPrecision(15))

/**
 * East Asian numbers count in ten thousands, and what is left stands behind: "3億5000万", "1万2,800", "1만 5천". "5千万" is
 * 5000 times 10000.
 */
const counting = (text: string, first: number, from: number): Scaled => {
  let [part, sum, to, least] = [first, 0, from, Number.POSITIVE_INFINITY]
  for (;;) {
    const [scale = ""] = counted.exec(text.slice(to, to + 4)) ?? []
    const factor = factors.get(scale.trim()) ?? 1
    if (factor === 1 || factor >= least) break
    part = times(part, factor)
    to += scale.length
    if (factor < 10_000 && counted.test(text.slice(to, to + 4))) continue
    sum += part
    part = 0
    least = factor
    const rest = /^\s?(\d{1,4}|\d,\d{3})(?![\d.,])/.exec(text.slice(to, to + 8))
    const digits = rest?.[1]?.replace(",", "")
    const isApart = rest !== null && /^\s/.test(rest[0]) && scale.trim() !== "만"
    if (rest === null || digits === undefined || (isApart && !counted.test(text.slice(to + rest[0].length)))) break
    part = Number(digits)
    to += rest[0].length
  }
  return { value: sum + part, to }
}

const counted = /^\s?(?:[千万萬億亿兆천만억조]|百[万萬])(?!\p{Script=Katakana}|円札|ウォン)/u

const words: ReadonlyArray<readonly [factor: number, words: string]> = [
  [
    1e3,
    "k thousand tsd tausend duizend tusen mila mille tys tis tyś тыс тысяч тысячи тысяча тис тисяч тисячі хил ezer mii χιλ χιλιάδες nghìn ngàn ribu ألف آلاف هزار אלף हज़ार हजार হাজার พัน 千 천 bin mil"
  ],
  [1e4, "หมื่น 万 萬 만"],
  [1e5, "lakh lakhs lac lacs लाख লাখ লক্ষ แสน L"],
  [
    1e6,
    "m mn million millions mio millionen millón millones milhão milhões milione milioni miljoen miljoner miljonia miljoonaa miljoona milj mln милн млн миллион миллиона миллионов мільйон мільйона мільйонів милиона millió milion miliony milionów milionů milioane εκατ εκατομμύρια εκατομμύριο milyon triệu juta مليون ملايين میلیون מיליון ล้าน 百万 百萬"
  ],
  [1e7, "crore crores करोड़ কোটি Cr cr"],
  [1e8, "億 亿 억"],
  [
    1e9,
    "b bn billion mrd md milliarden milliarde milliard milliards miljard miljarder mld млрд миллиард миллиарда миллиардов мільярд мільярда мільярдів miliardi miliard miliardy miliardów milliárd miliarde δισ δισεκατομμύρια milyar tỷ tỉ miliar bilhão bilhões مليار میلیارد מיליארד"
  ],
  [1e12, "trillion 兆 조"]
]

const factors: ReadonlyMap<string, number> = new Map(
  words.flatMap(([factor, names]) => names.split(" ").map((name) => [name, factor] as const))
)

/** What means something else where no money is: "3 mil" is thin, "2 bin" has rubbish in it. */
const beside: ReadonlySet<string> = new Set("mil bin L Cr cr mille md".split(" "))
const money = /\p{Sc}|\b(?:TL|lira|kişi|euros?|reais|pesos|Rs|Rp)\b/u

/** "1.2M" is a scale, "1.2 m" a length; "1,5 M€" is a scale again. Thai writes what is counted close behind. */
const word = (() => {
  const long = Array.from(factors.keys()).filter((name) => name.length > 1 || name === "L")
  const names = long.filter((name) => !/^[\u0e00-\u0e7f]/.test(name) && name !== "md")
  const thai = long.filter((name) => /^[\u0e00-\u0e7f]/.test(name))
  const plain = names.map((name) => `${name}|${name.charAt(0).toUpperCase()}${name.slice(1)}|${name.toUpperCase()}`)
  return new RegExp(
    `^(?:([kKMB])(?![\\p{L}\\d])|[ \\u00a0\\u202f]?([kKM](?=€)|Mds?(?=\\s?€)|(?:${plain.join("|")})\\.?(?![\\p{L}\\p{M}])|${thai.join("|")}))`,
    "u"
  )
})()
