import { describe, expect, it } from "@effect/vitest"
import { parse } from "yaml"
import { cronJobs } from "#engine/cronJobs"
import { task } from "../simulated.ts"
import { fileOf, options } from "./exported.ts"

describe("CronJobs", () => {
  const made = cronJobs(options)
  const { files, losses } = made

  it("have schedule, zone, overlap and how late a run may begin", () => {
    const manifest = parse(fileOf(made, "millrace-nightly.yaml"))
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
    expect(parse(fileOf(made, "millrace-strict.yaml")).spec.startingDeadlineSeconds).toBe(60)
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
    const { backoffLimit, podFailurePolicy } = parse(fileOf(made, "millrace-nightly.yaml")).spec.jobTemplate.spec
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
      "Odd.One_2: Kubernetes runs one missed time later, not all",
      "seconds: Kubernetes has no seconds: it is left out"
    ])
  })

  it("leave out days that Kubernetes reads in another way, and report the times that clock changes lose or double", () => {
    const tasks = [task("both", "0 4 */2 * 1"), task("night", "30 2 * * *", { timezone: "Europe/Berlin" })]
    const { files, losses } = cronJobs({ ...options, tasks })
    expect(files.map(({ name }) => name)).toEqual(["millrace-night.yaml"])
    expect(losses).toEqual([
      "both: Kubernetes runs on the day or the weekday: it is left out",
      "night: on the day when clocks go forward, its time does not exist, and Kubernetes does not run it",
      "night: on the day when clocks go back, its time occurs twice, and Kubernetes runs it twice"
    ])
  })
})
