/**
 * The name of a run: the time it started and six random digits, so runs sort by time and never meet.
 */
export const runId = (startedAt: number, random: number): string => {
  const time = new Date(startedAt).toISOString().replace(/[-:.]/g, "")
  return `${time}-${Math.floor(random * 0x1000000)
    .toString(16)
    .padStart(6, "0")}`
}
