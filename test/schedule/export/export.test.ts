import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { parse } from "yaml"
import * as DueTimes from "../../../src/schedule/DueTimes.ts"
import { cronJobs } from "../../../src/schedule/export/cronJobs.ts"
import { crontab } from "../../../src/schedule/export/crontab.ts"
import * as OnCalendar from "../../../src/schedule/export/OnCalendar.ts"
import { systemdUnits } from "../../../src/schedule/export/systemdUnits.ts"
import type { Task } from "../../../src/schedule/Task.ts"
import { task } from "../simulated.ts"

const nightly = task("nightly", "30 2 * * 1-5", {
  timezone: "Europe/Berlin",
  overlap: "skip",
  catch_up: "last",
  jitterMillis: 300_000
})
const odd: Task = {
  ...task("Odd.One_2", "*/20 0-4 1,15 * mon", { timezone: "America/New_York", overlap: "queue", catch_up: "all" }),
  path: "/srv/it's 100% $HOME/odd one.yaml"
}
const strict = task("strict", "0 6 * * *", { catch_up: "none" })
const seconds = task("seconds", "*/10 * * * * *")
const tasks = [nightly, odd, strict, seconds]
const options = {
  tasks,
  command: "/opt/millrace/bin/millrace",
  args: ["--var", "host=a b"],
  image: "registry.example/millrace:1"
}

/** A unit by its sections; a key that comes twice has both. */
const units = (text: string): Record<string, Record<string, ReadonlyArray<string>>> => {
  const sections: Record<string, Record<string, Array<string>>> = {}
  let section: Record<string, Array<string>> = {}
  for (const line of text.split("\n").filter((line) => line !== "")) {
    const name = /^\[(.+)\]$/.exec(line)?.[1]
    if (name !== undefined) section = sections[name] = {}
    else {
      const [, key = "", value = ""] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? []
      expect(key).not.toBe("")
      section[key] = [...(section[key] ?? []), value]
    }
  }
  return sections
}
const fileOf = (files: ReadonlyArray<{ name: string; text: string }>, name: string): string =>
  files.find((file) => file.name === name)?.text ?? ""

describe("units of systemd", () => {
  const { files, losses } = systemdUnits(options)

  it("are a service and a timer for each pipeline", () => {
    expect(files.map(({ name }) => name)).toEqual(
      tasks.flatMap(({ name }) => [`millrace-${name}.service`, `millrace-${name}.timer`])
    )
  })

  it("say when, in which zone, with which jitter, and whether one missed time is made up for", () => {
    expect(units(fileOf(files, "millrace-nightly.timer"))).toMatchObject({
      Timer: {
        OnCalendar: ["Mon,Tue,Wed,Thu,Fri *-*-* 02:30:00 Europe/Berlin"],
        Persistent: ["true"],
        RandomizedDelaySec: ["300"]
      },
      Install: { WantedBy: ["timers.target"] }
    })
    expect(units(fileOf(files, "millrace-strict.timer"))["Timer"]).toEqual({
      OnCalendar: ["*-*-* 06:00:00 UTC"],
      Persistent: ["false"],
      AccuracySec: ["1s"]
    })
  })

  it("run the file as its schedule says, whatever its path, and let a run end that is under way", () => {
    expect(units(fileOf(files, "millrace-Odd.One_2.service"))["Service"]).toMatchObject({
      Type: ["oneshot"],
      WorkingDirectory: ["/srv/it's 100%% $HOME"],
      ExecStart: [`/opt/millrace/bin/millrace schedule run --var "host=a b" "/srv/it's 100%% $$HOME/odd one.yaml"`],
      KillMode: ["mixed"]
    })
  })

  it("tell what systemd does otherwise", () => {
    expect(losses).toEqual([
      "Odd.One_2: systemd skips a time that comes while the run before goes on",
      "Odd.One_2: systemd makes up for one missed time, not for all"
    ])
  })

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

  it.runIf(hasSystemd)("are good in the eyes of systemd", () => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-units-"))
    try {
      const { files } = systemdUnits({ ...options, command: "/bin/true", tasks: [nightly, strict, seconds] })
      for (const { name, text } of files) writeFileSync(join(folder, name), text)
      const { stderr, status } = spawnSync(
        "systemd-analyze",
        ["verify", ...files.map(({ name }) => join(folder, name))],
        { encoding: "utf8" }
      )
      expect(stderr.split("\n").filter((line) => line.includes("millrace-"))).toEqual([])
      expect(status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it
    .runIf(hasSystemd)
    .each(["30 2 * * 1-5", "*/20 0-4 1,15 * mon", "0 0 */10 * *", "15,45 8-10 * 2,6 *", "0 12 13 * fri"])(
    "of %s are due when it is",
    (expression) => {
      const timing = { expression, timezone: "UTC" }
      const times = DueTimes.make(timing)
      const dues: Array<number> = []
      for (let due = times.next(Date.parse("2026-05-31T23:59:59Z")); dues.length < 12 && due !== undefined; ) {
        dues.push(due)
        due = times.next(due)
      }
      const found = OnCalendar.make(timing).flatMap((line) =>
        execFileSync("systemd-analyze", ["calendar", "--iterations=12", "--base-time=2026-05-31 23:59:59 UTC", line], {
          encoding: "utf8",
          env: { ...process.env, TZ: "UTC" }
        })
          .split("\n")
          .flatMap((text) => {
            const [, date, time] = /(?:elapse|Iteration #\d+|Iter\. #\d+): \w{3} (\S+) (\S+) UTC/.exec(text) ?? []
            return date === undefined ? [] : [Date.parse(`${date}T${time}Z`)]
          })
      )
      expect([...new Set(found)].sort((a, b) => a - b).slice(0, 12)).toEqual(dues)
    }
  )
})

describe("lines of a crontab", () => {
  const { files, losses } = crontab(options)
  const [file] = files

  it("stand below the time zone that they are in", () => {
    const lines = (file?.text ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    expect(lines.filter((line) => line.startsWith("CRON_TZ"))).toEqual([
      "CRON_TZ=America/New_York",
      "CRON_TZ=Europe/Berlin",
      "CRON_TZ=UTC"
    ])
    expect(lines[lines.indexOf("CRON_TZ=Europe/Berlin") + 1]).toBe(
      "30 2 * * 1-5 cd /pipelines && /opt/millrace/bin/millrace schedule run --jitter --var 'host=a b' /pipelines/nightly.yaml"
    )
  })

  it("are words that a shell reads as they are meant, and no % ends them", () => {
    const line = (file?.text ?? "").split("\n").find((line) => line.includes("odd one")) ?? ""
    expect(line.replaceAll("\\%", "")).not.toContain("%")
    const command = line
      .split(" ")
      .slice(5)
      .join(" ")
      .replaceAll("\\%", "%")
      .replace("cd ", "printf '%s|' ")
      .replace("&& /opt/millrace/bin/millrace", "")
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" })).toBe(
      "/srv/it's 100% $HOME|schedule|run|--var|host=a b|/srv/it's 100% $HOME/odd one.yaml|"
    )
  })

  it("leave out what cron cannot do, and tell", () => {
    expect(file?.text).not.toContain("seconds.yaml")
    expect(losses).toEqual([
      "nightly: cron makes up for no missed time",
      "Odd.One_2: cron makes up for no missed time",
      "seconds: cron knows no seconds: it is left out",
      "seconds: cron makes up for no missed time"
    ])
  })
})

describe("CronJobs", () => {
  const { files, losses } = cronJobs(options)

  it("have schedule, zone, overlap and how late a run may begin", () => {
    const manifest = parse(fileOf(files, "millrace-nightly.yaml"))
    expect(manifest).toMatchObject({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "millrace-nightly" },
      spec: {
        schedule: "30 2 * * 1-5",
        timeZone: "Europe/Berlin",
        concurrencyPolicy: "Forbid",
        // From Friday to Monday.
        startingDeadlineSeconds: 3 * 86_400
      }
    })
    expect(parse(fileOf(files, "millrace-strict.yaml")).spec.startingDeadlineSeconds).toBe(60)
    expect(manifest.spec.jobTemplate.spec.template.spec).toMatchObject({
      restartPolicy: "Never",
      containers: [
        {
          name: "millrace",
          image: "registry.example/millrace:1",
          command: ["millrace", "schedule", "run", "--jitter", "--var", "host=a b", "/pipelines/nightly.yaml"],
          volumeMounts: [{ name: "pipelines", mountPath: "/pipelines" }]
        }
      ],
      volumes: [{ name: "pipelines", persistentVolumeClaim: { claimName: "millrace" } }]
    })
  })

  it("go on with a pod that died, and do not with one that said how it ended", () => {
    const { backoffLimit, podFailurePolicy } = parse(fileOf(files, "millrace-nightly.yaml")).spec.jobTemplate.spec
    expect(backoffLimit).toBe(3)
    expect(podFailurePolicy.rules).toEqual([
      { action: "FailJob", onExitCodes: { containerName: "millrace", operator: "In", values: [1, 2, 3] } }
    ])
  })

  it("have names that Kubernetes takes, and tell what it does otherwise", () => {
    expect(files.map(({ text }) => parse(text).metadata.name)).toEqual([
      "millrace-nightly",
      "millrace-odd-one-2",
      "millrace-strict"
    ])
    expect(losses).toEqual([
      "Odd.One_2: Kubernetes makes up for one missed time, not for all",
      "seconds: Kubernetes knows no seconds: it is left out"
    ])
  })
})
