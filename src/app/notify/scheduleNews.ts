/**
 * The output of a scheduler: one line for each event, for people or as JSON.
 */
import type { WebhookPayload } from "#contract/Webhook"
import type { ScheduleEvent } from "#engine/ScheduleEvent"
import type { Message } from "#engine/ScheduleNotifier"
import { jsonLine, printable } from "#see/printable"
import { count, seconds } from "#see/summary"
import type { FolderNews } from "../scheduleFolder.ts"

/** Prints problems to stderr and all other events to stdout. With `json`, prints all to stdout, one object per line. */
export const say = (news: ScheduleEvent | FolderNews, now: number, json: boolean): void => {
  if (json) {
    process.stdout.write(jsonLine({ at: new Date(now).toISOString(), ...asJson(news) }))
    return
  }
  const stream = isBad(news) ? process.stderr : process.stdout
  stream.write(printable(`${moment(now)} ${inWords(news)}\n`))
}

/** "2026-11-21 02:00:07Z": a time in UTC. */
export const moment = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19).replace("T", " ")}Z`

const isBad = (news: ScheduleEvent | FolderNews): boolean => {
  switch (news._tag) {
    case "Broken":
    case "Lost":
    case "Retrying":
      return true
    case "Ended":
      return news.state !== "done"
    case "Notified":
      return news.failure !== undefined
    case "Added":
    case "Began":
    case "Busy":
    case "Changed":
    case "Missed":
    case "Removed":
    case "Skipped":
    case "StandingBy":
      return false
  }
}

const inWords = (news: ScheduleEvent | FolderNews): string => {
  switch (news._tag) {
    case "Began": {
      const { attempts, due, makes_up: makesUp, task } = news.run
      const how = [
        ...(makesUp === 1 ? ["a missed run"] : []),
        ...(news.resumed ? ["resumed"] : []),
        ...(attempts > 1 ? [`attempt ${attempts}`] : [])
      ]
      return `${task}: starts (due ${moment(due)}${how.map((one) => `, ${one}`).join("")})`
    }
    case "Ended": {
      const { outcome, run, state } = news
      const rows = Object.values(outcome.rows).reduce((sum, some) => sum + some, 0)
      const message = outcome.message === null ? "" : `${state === "done" ? ";" : ":"} ${outcome.message}`
      const what = state === "done" ? `, ${count(rows)} rows${message}` : message
      const id = outcome.run_id === null ? "" : ` (run ${outcome.run_id})`
      return `${run.task}: ${state} in ${seconds(news.millis)}${id}${what}`
    }
    case "Retrying":
      return `${news.run.task}: attempt ${news.run.attempts} failed, the next at ${moment(news.at)}: ${news.message ?? ""}`
    case "Busy":
      return `${news.run.task}: is waiting: ${news.message ?? ""}`
    case "Skipped":
      return `${news.task}: skipped (due ${moment(news.due)}): ${news.message}`
    case "Missed":
      return `${news.task}: ${count(news.count)} due ${news.count === 1 ? "time was" : "times were"} missed, the last at ${moment(news.last)}`
    case "Notified":
      return news.failure === undefined
        ? `${news.task}: sent the notice ${news.event} by ${news.to}`
        : `${news.task}: could not send the notice ${news.event} by ${news.to}: ${news.failure}`
    case "Lost":
      return `the schedule's database was damaged: ${news.message}`
    case "StandingBy":
      return `${news.holder} runs the schedule; this machine stands by`
    case "Added":
      return `${news.task}: is scheduled`
    case "Changed":
      return `${news.task}: its file has changed`
    case "Removed":
      return `${news.task ?? news.path}: is no longer scheduled`
    case "Broken":
      return `${news.message ?? news.path}\n  ${
        news.task === undefined ? "it is not scheduled" : `${news.task}: its last valid version stays scheduled`
      }`
  }
}

const asJson = (news: ScheduleEvent | FolderNews): Record<string, unknown> => {
  const event = news._tag.toLowerCase()
  switch (news._tag) {
    case "Began":
      return {
        event,
        pipeline: news.run.task,
        due: iso(news.run.due),
        attempt: news.run.attempts,
        resumed: news.resumed
      }
    case "Ended": {
      const { millis, outcome, run, state } = news
      return { event, pipeline: run.task, due: iso(run.due), ...outcome, status: state, duration_ms: millis }
    }
    case "Retrying":
      return { event, pipeline: news.run.task, due: iso(news.run.due), next: iso(news.at), message: news.message }
    case "Busy":
      return { event, pipeline: news.run.task, due: iso(news.run.due), message: news.message }
    case "Skipped":
      return { event, pipeline: news.task, due: iso(news.due), message: news.message }
    case "Missed":
      return { event, pipeline: news.task, count: news.count, last: iso(news.last) }
    case "Notified":
      return { event, pipeline: news.task, of: news.event, by: news.to, error: news.failure ?? null }
    case "Lost":
      return { event, message: news.message }
    case "StandingBy":
      return { event, holder: news.holder }
    case "Added":
    case "Broken":
    case "Changed":
    case "Removed":
      return { event, pipeline: news.task ?? null, path: news.path, message: news.message ?? null }
  }
}

const iso = (millis: number): string => new Date(millis).toISOString()

/** A notice, with the file that has the report of its run, where there is one. */
export interface Notice extends Message {
  readonly report: string | undefined
}

/*
 * The report of a run that ended: in words, and as the payload for programs.
 */

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
export const details = ({ report, run, task }: Notice): ReadonlyArray<string> => [
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
export const payload = ({ event, id, report, run, task }: Notice): WebhookPayload => ({
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
