/** Lengths of time, as ISO says them: "PT1H30M" stays, "1 hour 30 minutes", "90 min", "2 Std." become it. */
import { asciiDigits } from "./asciiDigits.ts"
import { plainUnit, unitIn } from "./Measure.ts"

/** `language` is that of the page: its own names of units are known too. */
export const parse = (text: string, language?: string): string | undefined => {
  const plain = asciiDigits(text.trim())
  if (/^P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/i.test(plain))
    return plain.toUpperCase()
  if (plain.length > 60) return undefined
  const clock = /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(plain)
  if (clock !== null) return `PT${Number(clock[1])}H${Number(clock[2])}M${Number(clock[3])}S`
  const hours = /^(\d{1,3})\s?h\s?([0-5]\d)$/i.exec(plain)
  if (hours !== null) return `PT${Number(hours[1])}H${Number(hours[2])}M`
  const parts = new Map<string, number>()
  const rest = plain.replaceAll(part, (all: string, amount: string, unit: string) => {
    const name = letters[unitIn(unit, language) ?? ""] ?? units.get(plainUnit(unit))
    if (name === undefined || parts.has(name)) return all
    parts.set(name, Number(amount.replace(",", ".")))
    return ""
  })
  if (parts.size === 0 || /[\p{L}\d]/u.test(rest.replaceAll(joining, ""))) return undefined
  const partsOf = (names: string) =>
    [...names].flatMap((name) => (parts.has(name) ? [`${parts.get(name)}${name === "m" ? "M" : name}`] : []))
  const days = partsOf("YmWD").join("")
  const time = partsOf("HMS").join("")
  return `P${days}${time === "" ? "" : `T${time}`}`
}

/** In seconds, where it has no months and years, which have no length. */
export const seconds = (iso: string): number | undefined => {
  const found = /^P(?:(\d+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/.exec(iso)
  if (found === null) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, rest = 0] = found
    .slice(1)
    .map((one) => (one === undefined ? 0 : Number(one)))
  return ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + rest
}

/** Units of a part stand close, and may be cut off with a mark: "2 שע׳", "3 घं॰". */
const part = /(\d+(?:[.,]\d+)?)\s?(\p{L}[\p{L}\p{M}"״'׳॰]*)\.?/gu
const joining =
  /(?<!\p{L})(?:and|und|et|y|e|en|og|och|ja|i|a|и|і|та|και|ve|dan|và|és|și|about|ca|circa|etwa)(?!\p{L})/giu
const letters: Readonly<Record<string, string>> = {
  year: "Y",
  month: "m",
  week: "W",
  day: "D",
  h: "H",
  min: "M",
  s: "S"
}

const units = new Map(
  Object.entries({
    Y: "year years yr yrs jahr jahre an ans año años anno anni jaar ano anos",
    m: "month months monat monate mois mes meses mese mesi maand maanden mês ヶ月 ヵ月 カ月 ケ月 個月",
    W: "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
    D: "day days d tag tage jour jours día días dia dias giorno giorni dag dagen 日間",
    H: "hour hours h hr hrs stunde stunden std heure heures hora horas ora ore uur timme timmar tim time timer godz godzina godziny godzin час часа часов ч 小时 小時 時間 시간",
    M: "minute minutes min mins m minuten minuto minutos minuti minuut minut minuter minutter minuty мин минут минуты минута 分 分钟 分鐘 분",
    S: "second seconds s sec secs sekunde sekunden seconde secondes segundo segundos secondo secondi"
  }).flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const))
)
