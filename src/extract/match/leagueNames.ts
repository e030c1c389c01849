/**
 * The meanings of the letters above the columns of a league table: next to "W", "D" and "L", "P" is the matches played; in
 * French tables, "P" is the matches lost.
 *
 * One letter has no certain meaning. Letters are read only if the row has wins, losses and most other columns of such tables,
 * all in the letters of one language.
 */
import type { Thing } from "../Candidates.ts"

/** The meaning of each name of a row that is a letter of a league table; empty for other rows. */
export const leagueNames = ({ properties }: Thing): ReadonlyMap<string, string> => {
  if (properties.length < least || !properties.some(({ name }) => name.length <= 2)) return none
  const known = new Map(properties.map(({ name }) => [plain(name), name] as const))
  let best = none
  for (const league of leagues) {
    const found = new Map<string, string>()
    for (const [meaning, ...letters] of league) {
      const letter = letters.find((one) => known.has(one) && !found.has(known.get(one) ?? ""))
      if (letter !== undefined) found.set(known.get(letter) ?? letter, meaning)
    }
    if (isLeague(new Set(found.values())) && found.size > best.size) best = found
  }
  return best
}

const least = 5
const none: ReadonlyMap<string, string> = new Map()

const plain = (name: string): string => name.trim().replace(/\.$/, "").toLowerCase()

/** Tables of sports without a draw say a share of wins. A width, a depth, a length and a price are four letters too. */
const isLeague = (means: ReadonlySet<string>): boolean =>
  means.has("won") &&
  means.has("lost") &&
  (means.has("winning percentage") || (means.has("drawn") && means.has("points") && means.size >= least))

type League = ReadonlyArray<readonly [meaning: string, ...letters: ReadonlyArray<string>]>

const league = (written: string): League =>
  written.split("; ").map((one): League[number] => {
    const [meaning = "", letters = ""] = one.split(": ")
    return [meaning, ...letters.split(" ")]
  })

/** Longer letters come first: if "Pts" is the points, "P" is something else. */
const leagues = [
  "points: pts; played: gp mp pld pl gms p; points: p; won: w; drawn: d t dr; lost: l; goals for: gf f pf; goals against: ga a pa; goal difference: gd +/- diff; winning percentage: pct",
  "points: pkt pkte punkte pts p; played: sp spiele; won: s g; drawn: u; lost: n v; goal difference: diff td +/- dif",
  "points: pts pt; played: mj j jo; won: g v; drawn: n; lost: p d; goals for: bp; goals against: bc; goal difference: diff dif +/-",
  "points: pts pt p; played: pj j; won: pg g; drawn: pe e; lost: pp p; goals for: gf; goals against: gc; goal difference: dg dif diff +/-",
  "points: pts pt p; played: g pg; won: v; drawn: n; lost: p; goals for: gf; goals against: gs; goal difference: dr diff +/-",
  "points: pts pt p; played: j pj; won: v; drawn: e; lost: d; goals for: gp gm; goals against: gc gs; goal difference: sg dg +/-",
  "points: о очки; played: и; won: в; drawn: н; lost: п; goals for: зм; goals against: пм; goal difference: рм",
  "points: 勝点; played: 試合 試合数; won: 勝; drawn: 分; lost: 負 敗; goals for: 得点; goals against: 失点; goal difference: 得失点差 得失差 得失"
].map(league)
