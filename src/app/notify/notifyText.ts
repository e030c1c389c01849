/** The report of a run that ended: in words, and as the payload for programs. */
import type { WebhookPayload } from "#contract/Webhook"
import type { Message } from "#engine/ScheduleNotifier"
import { count } from "#see/summary"
import { moment } from "./scheduleNews.ts"

/** A notice, with the file that has the report of its run, where there is one. */
export interface Told extends Message {
  readonly report: string | undefined
}

/** One line: "nightly failed: the service cannot be reached". */
export const headline = ({ event, run, task }: Message): string => {
  const because = run.message === null ? "" : `: ${run.message.split("\n")[0] ?? ""}`
  switch (event) {
    case "failed":
      return `${task.name} failed${because}`
    case "held":
      return `${task.name} is held by a check${because}`
    case "recovered":
      return `${task.name} is OK again`
    case "changed":
      return `${task.name} loaded changes`
  }
}

/** What somebody needs who has to look at it. */
export const details = ({ report, run, task }: Told): ReadonlyArray<string> => [
  `pipeline: ${task.path}`,
  `due: ${moment(run.due)}${run.attempts > 1 ? `, ${run.attempts} attempts` : ""}`,
  ...(run.run_id === null ? [] : [`run: ${run.run_id}`]),
  ...Object.entries(run.rows)
    .filter(([, rows]) => rows > 0)
    .map(([table, rows]) => `${table}: ${count(rows)} rows`),
  ...(report === undefined ? [] : [`report: ${report}`]),
  ...(run.state === "held" && run.run_id !== null
    ? [`to load it anyway: millrace commit ${run.run_id}`, `to discard it: millrace drop ${run.run_id}`]
    : []),
  ...(run.message === null ? [] : ["", run.message])
]

/** In the form of every webhook of the house. */
export const payload = ({ event, id, report, run, task }: Told): WebhookPayload => ({
  success: run.state === "done",
  type: `pipeline.${event}`,
  id: run.run_id ?? `${task.name}@${new Date(run.due).toISOString()}`,
  webhookId: id,
  data: [
    {
      pipeline: task.name,
      status: run.state,
      due: new Date(run.due).toISOString(),
      ended_at: run.ended_at === null ? null : new Date(run.ended_at).toISOString(),
      attempts: run.attempts,
      run_id: run.run_id,
      rows: run.rows,
      changed: run.changed,
      ...(report === undefined ? {} : { report })
    }
  ],
  error: run.state === "done" ? null : run.message,
  metadata: {}
})
