/** The pipelines that the exporters are tried on: plain ones, and one that is odd in every way. */
import type { Exported, Options } from "#engine/ScheduleExport"
import type { Task } from "#engine/ScheduleTask"
import { task } from "../simulated.ts"

export const nightly = task("nightly", "30 2 * * 1-5", {
  timezone: "Europe/Berlin",
  overlap: "skip",
  catch_up: "last",
  jitterMillis: 300_000
})
export const odd: Task = {
  ...task("Odd.One_2", "*/20 0-4 1,15 * mon", { timezone: "America/New_York", overlap: "queue", catch_up: "all" }),
  path: "/srv/it's 100% $HOME/odd one.yaml"
}
export const strict = task("strict", "0 6 * * *", { catch_up: "none" })
export const seconds = task("seconds", "*/10 * * * * *")
export const tasks = [nightly, odd, strict, seconds]
export const options: Options = {
  tasks,
  now: Date.parse("2026-11-27T00:00:00Z"),
  command: "/opt/millrace/bin/millrace",
  args: ["--var", "host=a b"],
  image: "registry.example/millrace:1"
}

export const fileOf = ({ files }: Exported, name: string): string =>
  files.find((file) => file.name === name)?.text ?? ""
