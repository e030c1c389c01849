/** A suite of cases: how many are read as expected, and what is missed and why. */

export interface Case {
  readonly name: string
  /** What was wrong; undefined where all is as expected. */
  readonly miss: string | undefined
  /** Why it concerns something that is not read, by design: such cases count apart. */
  readonly apart?: string | undefined
}

export interface Suite {
  readonly name: string
  readonly cases: ReadonlyArray<Case>
}

export const print = ({ name, cases }: Suite): void => {
  const counted = cases.filter(({ apart }) => apart === undefined)
  const read = counted.filter(({ miss }) => miss === undefined)
  const share = counted.length === 0 ? "" : `${((read.length / counted.length) * 100).toFixed(1)} %`
  const apart = cases.filter((one) => one.apart !== undefined)
  const rest =
    apart.length === 0
      ? ""
      : `, ${apart.length} apart (${apart.filter(({ miss }) => miss === undefined).length} of them read)`
  console.log(`${name.padEnd(34)} ${`${read.length}/${counted.length}`.padStart(9)} ${share.padStart(8)}${rest}`)
  for (const { name: own, miss } of counted)
    if (miss !== undefined) console.log(`    missed ${own}: ${miss.slice(0, 200)}`)
  for (const [reason, same] of Map.groupBy(apart, (one) => one.apart ?? "")) {
    console.log(
      `    apart, ${reason}: ${same
        .map((one) => one.name)
        .join(", ")
        .slice(0, 1500)}`
    )
  }
}
