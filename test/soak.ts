/**
 * How thorough this run is. On each commit a campaign of kills, or of random cases, is a few of them with the same seed each
 * time; `npm run test:soak` runs all of them with a new seed, which it prints and MILLRACE_SEED repeats.
 */
export const soaking = process.env["MILLRACE_SOAK"] !== undefined

/** How often: on each commit, and in the whole campaign. */
export const times = (onCommit: number, whole: number): number => (soaking ? whole : onCommit)
