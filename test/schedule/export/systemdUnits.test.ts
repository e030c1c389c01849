import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { systemdUnits } from "../../../src/schedule/export/systemdUnits.ts"
import { fileOf, nightly, options, seconds, strict, tasks } from "./exported.ts"

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

describe("units of systemd", () => {
  const made = systemdUnits(options)
  const { files, losses } = made

  it("are a service and a timer for each pipeline", () => {
    expect(files.map(({ name }) => name)).toEqual(
      tasks.flatMap(({ name }) => [`millrace-${name}.service`, `millrace-${name}.timer`])
    )
  })

  it("say when, in which zone, with which jitter, and whether one missed time is made up for", () => {
    expect(units(fileOf(made, "millrace-nightly.timer"))).toMatchObject({
      Timer: {
        OnCalendar: ["Mon,Tue,Wed,Thu,Fri *-*-* 02:30:00 Europe/Berlin"],
        Persistent: ["true"],
        RandomizedDelaySec: ["300"]
      },
      Install: { WantedBy: ["timers.target"] }
    })
    expect(units(fileOf(made, "millrace-strict.timer"))["Timer"]).toEqual({
      OnCalendar: ["*-*-* 06:00:00 UTC"],
      Persistent: ["false"],
      AccuracySec: ["1s"]
    })
  })

  it("run the file as its schedule says, whatever its path, and let a run end that is under way", () => {
    expect(units(fileOf(made, "millrace-Odd.One_2.service"))["Service"]).toMatchObject({
      Type: ["oneshot"],
      WorkingDirectory: ["/srv/it's 100%% $HOME"],
      ExecStart: [`/opt/millrace/bin/millrace schedule run --var "host=a b" "/srv/it's 100%% $$HOME/odd one.yaml"`],
      KillMode: ["mixed"]
    })
  })

  it("tell what systemd does otherwise", () => {
    expect(losses).toEqual([
      "Odd.One_2: systemd skips a time while the previous run has not finished",
      "Odd.One_2: systemd runs one missed time later, not all"
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
})
