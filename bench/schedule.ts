/** When each round of each work is due. */

export interface Due {
  /** Which work, and which round of it: both from 0. */
  readonly work: number
  readonly round: number
  readonly isLast: boolean
}

/**
 * The rounds of all works, each work's spread evenly over the whole run: a machine that others use too is slower for minutes,
 * and that has to spoil a round of many works, never most rounds of one.
 */
export const schedule = (rounds: ReadonlyArray<number>): ReadonlyArray<Due> =>
  rounds
    .flatMap((count, work) =>
      Array.from({ length: count }, (_, round) => ({
        work,
        round,
        isLast: round === count - 1,
        at: (round + 0.5) / count
      }))
    )
    .sort((one, other) => one.at - other.at || one.work - other.work)
