/**
 * Exports lines for a crontab, grouped by time zone below CRON_TZ, which cronie has and Debian's own cron does not.
 *
 * `millrace schedule run` applies the overlap, retries, jitter and time limits of the file.
 */
import { dirname } from "node:path"
import { type Exported, type Options, quoted } from "./ScheduleExport.ts"
import type { Task } from "./ScheduleTask.ts"

export const crontab = ({ args, command, tasks }: Options): Exported => {
  const possible = tasks.filter(hasWholeMinutes)
  const zones = [...new Set(possible.map(({ timing }) => timing.timezone))].sort()
  const lines = zones.flatMap((zone) => [
    "",
    `CRON_TZ=${zone}`,
    ...possible
      .filter(({ timing }) => timing.timezone === zone)
      .flatMap((task) => [`# ${task.name}`, `${task.timing.expression} ${inCrontab(commandOf(task, command, args))}`])
  ])
  const losses = tasks.flatMap((task) => [
    ...(hasWholeMinutes(task) ? [] : [`${task.name}: cron has no seconds: it is left out`]),
    ...(task.timing.catch_up === "none" ? [] : [`${task.name}: cron does not run missed times later`])
  ])
  const head = "# Millrace pipelines. CRON_TZ needs a cron that knows it, such as cronie."
  return { files: [{ name: "millrace.crontab", text: `${[head, ...lines].join("\n")}\n` }], losses }
}

/** Whether an expression has no field for seconds. */
const hasWholeMinutes = ({ timing }: Task): boolean => timing.expression.trim().split(/\s+/).length === 5

const commandOf = ({ path, timing }: Task, command: string, args: ReadonlyArray<string>): string => {
  const jitter = timing.jitterMillis === 0 ? [] : ["--jitter"]
  return `cd ${quoted(dirname(path))} && ${[command, "schedule", "run", ...jitter, ...args, path].map(quoted).join(" ")}`
}

/** In a crontab, an unescaped % ends the command. */
const inCrontab = (text: string): string => text.replaceAll("%", "\\%")
