/** What of the Docker example can be tried without Docker: its paths, its commands and its pipeline file. */
import { cpSync, existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Schema from "effect/Schema"
import { afterEach, expect, it, vi } from "vitest"
import { parse } from "yaml"
import { inFolder, millrace, write } from "../app/millrace.ts"

const example = resolve(import.meta.dirname, "../../examples/docker")
const file = join(example, "compose.yaml")

const Compose = Schema.Struct({
  services: Schema.Struct({
    warehouse: Schema.Struct({ secrets: Schema.Array(Schema.String) }),
    millrace: Schema.Struct({
      build: Schema.String,
      command: Schema.Array(Schema.String),
      environment: Schema.Record(Schema.String, Schema.String),
      secrets: Schema.Array(Schema.String),
      volumes: Schema.Array(Schema.String),
      ports: Schema.Array(Schema.String)
    })
  }),
  secrets: Schema.Record(Schema.String, Schema.Struct({ file: Schema.String }))
})
const { secrets, services } = Schema.decodeUnknownSync(Compose)(parse(readFileSync(file, "utf8")))

afterEach(() => void vi.unstubAllEnvs())

it("the Docker example builds this checkout, mounts folders that exist, and keeps its secrets out of git and of the image", () => {
  const root = resolve(example, services.millrace.build)
  const mounts = services.millrace.volumes.map((volume) => volume.split(":")[0] ?? "")

  expect(readFileSync(join(root, "Dockerfile"), "utf8")).toContain('ENTRYPOINT ["millrace"]')
  for (const folder of mounts) expect([folder, existsSync(join(example, folder))]).toEqual([folder, true])
  expect([...services.warehouse.secrets, ...services.millrace.secrets].toSorted()).toEqual(
    Object.keys(secrets).toSorted()
  )
  for (const secret of Object.values(secrets)) expect(secret.file).toMatch(/^\.\/secrets\//)
  expect(readFileSync(join(example, ".gitignore"), "utf8").split("\n")).toContain("secrets/")
  expect(readFileSync(join(root, ".dockerignore"), "utf8").split("\n")).toContain("examples")
  // Nobody but this machine sees the figures.
  for (const port of services.millrace.ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

it("the command of the Docker example schedules its pipeline file, with the secret in a file", () =>
  inFolder(async (folder) => {
    cpSync(join(example, "pipelines"), folder, { recursive: true })
    write(folder, "warehouse", "postgres://millrace:secret@127.0.0.1:1/warehouse")
    const [name = ""] = Object.keys(services.millrace.environment)
    vi.stubEnv(name, join(folder, "warehouse"))
    const port = services.millrace.command.at(-1) ?? ""
    const args = services.millrace.command.map((word) => (word === "/data" ? folder : word === port ? "0" : word))
    const checked = await millrace(folder, "check", "docs.yaml")
    const listed = await millrace(folder, ...args, "--list")
    const ran = await millrace(folder, ...args, "--once")

    expect(services.millrace.ports[0]?.endsWith(`:${port}`)).toBe(true)
    expect(services.millrace.environment["MILLRACE_HEALTH"]).toBe(`http://127.0.0.1:${port}/health`)
    expect([checked.code, checked.stdout]).toEqual([0, "docs.yaml: OK\n"])
    expect(listed.stdout).toMatch(/docs/)
    expect([ran.code, ran.stderr]).toEqual([0, ""])
  }))
