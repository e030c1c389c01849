import { execFileSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import { crontab } from "#engine/crontab"
import { options } from "./exported.ts"

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
      "nightly: cron does not run missed times later",
      "Odd.One_2: cron does not run missed times later",
      "seconds: cron has no seconds: it is left out",
      "seconds: cron does not run missed times later"
    ])
  })
})
