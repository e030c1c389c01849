/**
 * Monitors and checks as the service returns them.
 */
import type * as Api from "#contract/Monitor"
import type { MonitorCheck, MonitorSummary, TargetResult } from "#contract/MonitorCheck"
import * as Cadence from "./Cadence.ts"
import type * as Monitor from "./Monitor.ts"

interface Around {
  /** The maximum credits of a check. */
  readonly credits: number
  readonly last: Monitor.Check | undefined
  readonly now: number
}

export const monitorView = (monitor: Monitor.Monitor, { credits, last, now }: Around): Api.Monitor => {
  const { definition } = monitor
  return {
    id: monitor.id,
    name: monitor.name,
    status: monitor.status,
    schedule: definition.schedule,
    nextRunAt: at(monitor.nextRunAt),
    lastRunAt: at(monitor.lastRunAt),
    currentCheckId: monitor.currentCheckId,
    targets: definition.targets,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as it was decoded when the monitor was made
    webhook: definition.webhook as Api.Monitor["webhook"],
    notification: definition.notification,
    retentionDays: definition.retentionDays,
    estimatedCreditsPerMonth: credits * Cadence.inMonth(definition.schedule, now),
    lastCheckSummary: last === undefined ? null : summaryOf(last),
    goal: definition.goal,
    judgeEnabled: definition.judgeEnabled,
    createdAt: new Date(monitor.createdAt).toISOString(),
    updatedAt: new Date(monitor.updatedAt).toISOString()
  }
}

export const checkView = (check: Monitor.Check): MonitorCheck => {
  const isSkipped = check.status.startsWith("skipped")
  const isOver = check.finishedAt !== null
  return {
    id: check.id,
    monitorId: check.monitorId,
    status: check.status,
    trigger: check.trigger,
    scheduledFor: at(check.scheduledFor),
    startedAt: at(check.startedAt),
    finishedAt: at(check.finishedAt),
    estimatedCredits: check.estimatedCredits,
    reservedCredits: isOver ? null : check.estimatedCredits,
    actualCredits: isOver ? check.credits : null,
    billingStatus: isSkipped ? "not_applicable" : isOver ? "confirmed" : "reserved",
    summary: summaryOf(check),
    targetResults: check.targets.map(resultOf),
    notificationStatus: check.mail === null ? null : { email: check.mail },
    error: check.error,
    createdAt: new Date(check.createdAt).toISOString(),
    updatedAt: new Date(check.finishedAt ?? check.startedAt ?? check.createdAt).toISOString()
  }
}

/** The progress of a target without the members that only the run of the check needs. */
const resultOf = (progress: Monitor.TargetProgress): TargetResult => {
  const { isBaseline: _, isDone: __, knownWarning: ___, ...result } = progress
  return result
}

const summaryOf = ({ counts }: Monitor.Check): MonitorSummary => ({
  totalPages: Object.values(counts).reduce((sum, count) => sum + count, 0),
  ...counts
})

const at = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())
