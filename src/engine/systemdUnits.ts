/**
 * Exports units of systemd: a service and a timer for each pipeline.
 *
 * Enable them with `systemctl enable --now millrace-NAME.timer`. systemd never starts a service that is running, which is
 * `overlap: skip`. `millrace schedule run` applies the retries and time limits of the file.
 */
import { dirname } from "node:path"
import * as Cron from "effect/Cron"
import type { Timing } from "./FileSchedule.ts"
import type { Exported, Options } from "./ScheduleExport.ts"
import type { Task } from "./ScheduleTask.ts"
import { clockChanges } from "./schedule/export/clockChanges.ts"

export const systemdUnits = ({ args, command, now, tasks }: Options): Exported => ({
  files: tasks.flatMap((task) => [
    { name: `${unitOf(task)}.service`, text: service(task, [command, "schedule", "run", ...args, task.path]) },
    { name: `${unitOf(task)}.timer`, text: timer(task) }
  ]),
  losses: tasks.flatMap(({ name, timing }) => [
    ...(timing.overlap === "queue" ? [`${name}: systemd skips a time while the previous run has not finished`] : []),
    ...(timing.catch_up === "all" ? [`${name}: systemd runs one missed time later, not all`] : []),
    ...(clockChanges(timing, now).hasGap
      ? [`${name}: on the day when clocks go forward, its time does not exist, and systemd does not run it`]
      : [])
  ])
})

const unitOf = ({ name }: Task): string => `millrace-${name}`

const service = (task: Task, command: ReadonlyArray<string>): string => {
  return lines(
    "[Unit]",
    `Description=Millrace pipeline ${specified(task.name)}`,
    "Wants=network-online.target",
    "After=network-online.target",
    "StartLimitIntervalSec=1h",
    "StartLimitBurst=5",
    "",
    "[Service]",
    "Type=oneshot",
    `WorkingDirectory=${specified(dirname(task.path))}`,
    "EnvironmentFile=-/etc/millrace.env",
    `ExecStart=${command.map(word).join(" ")}`,
    "TimeoutStartSec=infinity",
    // Only the main process gets the signal, and it waits for its run, which would otherwise give up its job.
    "KillMode=mixed",
    // A run that is killed, for example when the machine goes down, is continued.
    "TimeoutStopSec=10min",
    "Restart=on-abnormal",
    "RestartSec=30"
  )
}

const timer = (task: Task): string =>
  lines(
    "[Unit]",
    `Description=When the Millrace pipeline ${specified(task.name)} runs`,
    "",
    "[Timer]",
    ...calendarEvents(task.timing).map((when) => `OnCalendar=${when}`),
    `Persistent=${task.timing.catch_up !== "none"}`,
    "AccuracySec=1s",
    ...(task.timing.jitterMillis === 0 ? [] : [`RandomizedDelaySec=${task.timing.jitterMillis / 1000}`]),
    "",
    "[Install]",
    "WantedBy=timers.target"
  )

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

/** systemd replaces %n and similar in most values. */
const specified = (text: string): string => text.replaceAll("%", "%%")

/** A word of a command line in a unit. */
const word = (text: string): string => {
  const safe = specified(text).replaceAll("$", "$$$$")
  return /^[\w@%+=:,./$-]+$/.test(safe) ? safe : `"${safe.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

/**
 * A cron expression as the calendar events of systemd.
 *
 * The events together are due when the expression is. Cron's "day of the month or weekday" cannot be one event of systemd, so
 * it becomes two.
 */
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const calendarEvents = ({ expression, timezone }: Pick<Timing, "expression" | "timezone">): ReadonlyArray<string> => {
  const { days, hours, minutes, months, seconds, weekdays: week } = Cron.parseUnsafe(expression, "UTC")
  const fields = expression.trim().split(/\s+/)
  const [day = "*", , weekday = "*"] = fields.slice(-3)
  const time = [hours, minutes, seconds].map((values) => list(values, 2)).join(":")
  const line = (ofDays: ReadonlySet<number>, ofWeek: ReadonlySet<number>) => {
    const names = ofWeek.size === 0 || ofWeek.size === 7 ? "" : `${Array.from(ofWeek, (at) => weekdays[at]).join(",")} `
    return `${names}*-${list(months, 2)}-${list(ofDays, 2)} ${time} ${timezone}`
  }
  const isEither = days.size > 0 && week.size > 0 && !day.startsWith("*") && !weekday.startsWith("*")
  return isEither ? [line(days, new Set()), line(new Set(), week)] : [line(days, week)]
}

const list = (values: ReadonlySet<number>, width: number): string =>
  values.size === 0 ? "*" : Array.from(values, (value) => String(value).padStart(width, "0")).join(",")
