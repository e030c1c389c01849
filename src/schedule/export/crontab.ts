/**
 * Lines for a crontab, those of one time zone below its CRON_TZ (cron of the cronie family; Debian's own has none).
 *
 * Overlaps, retries, jitter and time limits are those of the file, which `millrace schedule run` keeps to.
 */
import { dirname } from "node:path"
import type { Task } from "../Task.ts"
import { type Exported, type Options, quoted } from "./Exported.ts"

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

/** Fields of six have seconds first; those of whole minutes can do without. */
const hasWholeMinutes = ({ timing }: Task): boolean => timing.expression.trim().split(/\s+/).length === 5

const commandOf = ({ path, timing }: Task, command: string, args: ReadonlyArray<string>): string => {
  const jitter = timing.jitterMillis === 0 ? [] : ["--jitter"]
  return `cd ${quoted(dirname(path))} && ${[command, "schedule", "run", ...jitter, ...args, path].map(quoted).join(" ")}`
}

/** A % ends a command of cron. */
const inCrontab = (text: string): string => text.replaceAll("%", "\\%")
