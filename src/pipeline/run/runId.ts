/**
 * The name of a run: the time it started and six random digits, so runs sort by time and never meet.
 */
export const runId = (startedAt: number, random: number): string => {
  const time = new Date(startedAt).toISOString().replace(/[-:.]/g, "")
  return `${time}-${Math.floor(random * 0x1000000)
    .toString(16)
    .padStart(6, "0")}`
}

/** When a run started, by its name, in milliseconds since the epoch; 0 where there is none, or where the name says no time. */
export const timeOf = (runId: string | undefined): number => {
  const [, y, mo, d, h, mi, s, ms] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(runId ?? "") ?? []
  return ms === undefined ? 0 : Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}.${ms}Z`) || 0
}
