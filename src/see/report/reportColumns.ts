/**
 * Compares the columns of a table with those of earlier good runs: the share of filled values, and what is unusual.
 *
 * A figure is unusual if it is outside the range of at least three runs: the share of filled values by more than one percentage
 * point; the number of distinct values, the mean length or the mean by more than a fifth.
 */
import * as Column from "#engine/Column"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type { ColumnReport } from "./ReportModel.ts"

export const compareColumns = (
  table: string,
  columns: ReadonlyArray<Column.Column>,
  profiles: ReadonlyArray<ColumnProfile>,
  /** The profiles of each run to compare with. */
  before: ReadonlyArray<ReadonlyArray<ColumnProfile>>
): ReadonlyArray<ColumnReport> =>
  columns.map(({ description, name, nullable, type }) => {
    const find = (all: ReadonlyArray<ColumnProfile>) => all.find((one) => one.table === table && one.column === name)
    const profile = find(profiles)
    const earlier = before.flatMap((all) => find(all) ?? [])
    const fills = earlier.flatMap((one) => fillOf(one) ?? []).toSorted((a, b) => a - b)
    const [min, median, max] = [fills[0], fills[Math.floor(fills.length / 2)], fills.at(-1)]
    return {
      name,
      type: Column.toSql(type),
      nullable,
      description: description ?? null,
      profile: profile ?? null,
      fill: profile === undefined ? null : (fillOf(profile) ?? null),
      usual_fill:
        min === undefined || median === undefined || max === undefined
          ? null
          : { min: rounded(min), median: rounded(median), max: rounded(max) },
      unusual: profile === undefined || profile.rows === 0 ? [] : unusualIn(profile, earlier)
    }
  })

/** How many earlier runs are needed, and how far from them a share of filled values and another figure may be. */
const enough = 3
const fillTolerance = 0.01
const tolerance = 0.2

/** The share of filled values; undefined: there are no rows. */
const fillOf = ({ filled, rows }: ColumnProfile): number | undefined =>
  rows === 0 ? undefined : rounded(filled / rows)

const unusualIn = (profile: ColumnProfile, earlier: ReadonlyArray<ColumnProfile>): ReadonlyArray<string> => {
  if (earlier.length < enough) return []
  const outside = (of: (one: ColumnProfile) => number | null | undefined, slack: (bound: number) => number) => {
    const now = of(profile)
    const known = earlier.flatMap((one) => of(one) ?? [])
    if (now === null || now === undefined || known.length < enough) return undefined
    const [low, high] = [Math.min(...known), Math.max(...known)]
    return now < low - slack(low)
      ? `below ${shown(low)}`
      : now > high + slack(high)
        ? `above ${shown(high)}`
        : undefined
  }
  const relative = (bound: number) => Math.abs(bound) * tolerance
  const found: ReadonlyArray<readonly [string, string | undefined]> = [
    ["fill", outside(fillOf, () => fillTolerance)],
    ["distinct values", outside(({ distinct }) => distinct, relative)],
    ["mean length", outside(({ length }) => length?.mean, relative)],
    ["mean", outside(({ mean }) => mean, relative)]
  ]
  return found.flatMap(([what, how]) => (how === undefined ? [] : [`${what} ${how}`]))
}

const shown = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 3 })

const rounded = (value: number): number => Number(value.toFixed(4))
