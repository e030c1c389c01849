/**
 * The work behind `millrace schedule export`: writes the schedules of a folder in the form of another scheduler.
 *
 * Settings that the other scheduler does not support are reported. If a file is invalid, nothing is written.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { cronJobs } from "#engine/cronJobs"
import { crontab } from "#engine/crontab"
import { plainTasks } from "#engine/plainTasks"
import { systemdUnits } from "#engine/systemdUnits"
import { notWritten, wrong } from "#see/CliFailure"
import { packageFolder } from "#see/packageFolder"
import { scheduleFolder } from "../scheduleFolder.ts"

interface Options {
  readonly folder: string
  readonly systemd: boolean
  readonly cron: boolean
  readonly k8s: boolean
  readonly out: Option.Option<string>
  readonly image: string
  readonly vars: Readonly<Record<string, string>>
}

export const scheduleExport = Effect.fn("scheduleExport")(function* (options: Options) {
  const { cron, folder, image, k8s, out, systemd, vars } = options
  const exporters = [...(systemd ? [systemdUnits] : []), ...(cron ? [crontab] : []), ...(k8s ? [cronJobs] : [])]
  const [exporter, second] = exporters
  if (exporter === undefined || second !== undefined) {
    return yield* wrong("name one scheduler: --systemd, --cron or --k8s")
  }
  const { news, tasks } = yield* scheduleFolder(folder, vars, [])
  const broken = news.flatMap(({ message, _tag }) => (_tag === "Broken" && message !== undefined ? [message] : []))
  if (broken.length > 0) return yield* wrong(broken.join("\n"))
  if (tasks.length === 0) return yield* wrong(`no pipeline file in ${folder} has a schedule`)
  const args = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}=${value}`])
  const plain = plainTasks(tasks)
  const { files, losses } = exporter({
    tasks: plain.tasks,
    image,
    args,
    command: join(packageFolder(), "bin/millrace"),
    now: yield* Clock.currentTimeMillis
  })
  if (Option.isNone(out)) {
    // YAML documents need a separator; for other files, the line with the name separates them.
    const parts = files.map(({ name, text }) => (files.length === 1 ? text : `${k8s ? "---\n" : ""}# ${name}\n${text}`))
    process.stdout.write(parts.join(k8s ? "" : "\n"))
  } else {
    const target = out.value
    yield* Effect.tryPromise({
      try: async () => {
        await mkdir(target, { recursive: true })
        for (const { name, text } of files) await writeFile(join(target, name), text)
      },
      catch: (cause) => notWritten(target, cause)
    })
    for (const { name } of files) process.stdout.write(`${join(target, name)}\n`)
  }
  for (const loss of [...plain.losses, ...losses]) process.stderr.write(`${loss}\n`)
})
