/**
 * Exports CronJobs of Kubernetes: a manifest for each pipeline.
 *
 * `millrace schedule run` applies the retries, jitter and time limits of the file. The pipeline files, and what Millrace keeps
 * beside them, are on the volume of a claim called `millrace`; secrets are in the environment, from a secret called
 * `millrace` if there is one.
 */
import { basename } from "node:path"
import * as Cron from "effect/Cron"
import * as DueTimes from "./DueTimes.ts"
import type { Exported, Options } from "./ScheduleExport.ts"
import type { Task } from "./ScheduleTask.ts"
import { clockChanges } from "./schedule/export/clockChanges.ts"

export const cronJobs = ({ args, image, now, tasks }: Options): Exported => {
  const possible = tasks.filter((task) => hasWholeMinutes(task) && !needsBothDays(task))
  return {
    files: possible.map((task) => ({ name: `millrace-${nameOf(task)}.yaml`, text: manifest(task, image, args) })),
    losses: tasks.flatMap((task) => [
      ...(hasWholeMinutes(task) ? [] : [`${task.name}: Kubernetes has no seconds: it is left out`]),
      ...(needsBothDays(task) ? [`${task.name}: Kubernetes runs on the day or the weekday: it is left out`] : []),
      ...(task.timing.catch_up === "all" ? [`${task.name}: Kubernetes runs one missed time later, not all`] : []),
      ...changesOf(task, now)
    ])
  }
}

const hasWholeMinutes = ({ timing }: Task): boolean => timing.expression.trim().split(/\s+/).length === 5

// With a step of all days, such as */2, and a weekday, Millrace runs on days that match both, and Kubernetes on either.
const needsBothDays = ({ timing }: Task): boolean => {
  const { days, weekdays } = Cron.parseUnsafe(timing.expression, "UTC")
  const [day = "*", , weekday = "*"] = timing.expression.trim().split(/\s+/).slice(-3)
  return days.size > 0 && weekdays.size > 0 && (day.startsWith("*") || weekday.startsWith("*"))
}

const changesOf = ({ name, timing }: Task, now: number): ReadonlyArray<string> => {
  const { hasGap, hasTwice } = clockChanges(timing, now)
  return [
    ...(hasGap
      ? [`${name}: on the day when clocks go forward, its time does not exist, and Kubernetes does not run it`]
      : []),
    ...(hasTwice
      ? [`${name}: on the day when clocks go back, its time occurs twice, and Kubernetes runs it twice`]
      : [])
  ]
}

const folder = "/pipelines"

const manifest = (task: Task, image: string, args: ReadonlyArray<string>): string => {
  const { expression, jitterMillis, timezone } = task.timing
  const jitter = jitterMillis === 0 ? [] : ["--jitter"]
  const command = ["millrace", "schedule", "run", ...jitter, ...args, `${folder}/${basename(task.path)}`]
  return [
    "apiVersion: batch/v1",
    "kind: CronJob",
    "metadata:",
    `  name: millrace-${nameOf(task)}`,
    "  labels:",
    "    app.kubernetes.io/name: millrace",
    `    app.kubernetes.io/instance: ${text(nameOf(task))}`,
    "spec:",
    `  schedule: ${text(expression)}`,
    `  timeZone: ${text(timezone)}`,
    // One process at a time runs a pipeline. With `overlap: queue`, the deadline lets a missed time run later.
    "  concurrencyPolicy: Forbid",
    `  startingDeadlineSeconds: ${deadlineOf(task)}`,
    "  successfulJobsHistoryLimit: 1",
    "  failedJobsHistoryLimit: 3",
    "  jobTemplate:",
    "    spec:",
    // If a pod dies, another pod continues. If it ends with one of these codes, all retries of the file were used.
    "      backoffLimit: 3",
    "      podFailurePolicy:",
    "        rules:",
    "          - action: FailJob",
    "            onExitCodes: { containerName: millrace, operator: In, values: [1, 2, 3] }",
    "      template:",
    "        spec:",
    "          restartPolicy: Never",
    "          containers:",
    "            - name: millrace",
    `              image: ${text(image)}`,
    `              command: [${command.map(text).join(", ")}]`,
    `              workingDir: ${folder}`,
    "              envFrom:",
    "                - secretRef: { name: millrace, optional: true }",
    "              volumeMounts:",
    `                - { name: pipelines, mountPath: ${folder} }`,
    "          volumes:",
    "            - name: pipelines",
    "              persistentVolumeClaim: { claimName: millrace }",
    ""
  ].join("\n")
}

/** A text as a YAML scalar, written as JSON. */
const text = (value: string): string => JSON.stringify(value)

/**
 * How late a run may begin: a minute if missed times are not run later, otherwise at the latest until the next time.
 */
const deadlineOf = ({ timing }: Task): number => {
  if (timing.catch_up === "none" && timing.overlap === "skip") return 60
  const times = DueTimes.of(timing)
  const dues: Array<number> = []
  for (let due = times.next(0); due !== undefined && dues.length < 50; due = times.next(due)) dues.push(due)
  const gaps = dues.slice(1).map((due, at) => due - (dues[at] ?? due))
  return Math.max(60, Math.ceil(Math.max(0, ...gaps) / 1000))
}

/** A name of Kubernetes: small letters, digits and dashes, and short enough for the names of its jobs. */
const nameOf = ({ name }: Task): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 43)
    .replaceAll(/^-+|-+$/g, "")
