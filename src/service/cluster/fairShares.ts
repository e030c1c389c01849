/**
 * Shares out the permits of a team: as evenly between its jobs as their wishes allow.
 *
 * A job never gets more than it wants, and the rest goes to the others. If the rest is too small for one more each, the
 * first jobs get one: the caller puts those first that had least.
 */

/** The number of permits that each job wants. */
interface Wishes {
  readonly wants: ReadonlyArray<number>
}

/** How many permits each asker may have, over all its jobs; together at most `permits`. */
export const fairShares = (permits: number, askers: ReadonlyArray<Wishes>): ReadonlyArray<number> => {
  const jobs = askers.flatMap(({ wants }, asker) => wants.map((want) => ({ asker, want, has: 0 })))
  let free = permits
  let unmet = jobs.filter(({ want }) => want > 0)
  while (unmet.length > 0 && free >= unmet.length) {
    const each = Math.floor(free / unmet.length)
    for (const job of unmet) {
      const more = Math.min(each, job.want - job.has)
      job.has += more
      free -= more
    }
    unmet = unmet.filter(({ has, want }) => has < want)
  }
  for (const job of unmet.slice(0, free)) job.has += 1
  const shares = askers.map(() => 0)
  for (const { asker, has } of jobs) shares[asker] = (shares[asker] ?? 0) + has
  return shares
}
