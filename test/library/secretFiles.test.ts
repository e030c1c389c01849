import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { secretIn } from "#library/secrets"
import { inFolder } from "../app/millrace.ts"

it("a secret is that of the environment, then of its own file, then of the file of all secrets", () =>
  inFolder(async (folder) => {
    const own = join(folder, "own")
    const all = join(folder, "secrets.yaml")
    writeFileSync(own, "from its own file\n")
    writeFileSync(all, 'KEY: from all\nCODE: 0123\nLIST: [1]\n"toString": x\n')
    const env = {
      MILLRACE_SECRET_KEY: "from the environment",
      MILLRACE_SECRET_KEY_FILE: own,
      MILLRACE_SECRETS_FILE: all
    }
    expect(secretIn("KEY", env)).toBe("from the environment")
    expect(secretIn("KEY", { ...env, MILLRACE_SECRET_KEY: undefined })).toBe("from its own file")
    expect(secretIn("KEY", { MILLRACE_SECRETS_FILE: all })).toBe("from all")
    expect(secretIn("CODE", env)).toMatchObject({ message: `the secret CODE of ${all} is not text` })
    expect(secretIn("LIST", env)).toMatchObject({ hint: 'put it in quotes: `LIST: "..."`' })
    expect(secretIn("constructor", env)).toMatchObject({ message: `${all} has no secret constructor` })
  }))

it("what is missing or cannot be read is said, without a word of what the file has", () =>
  inFolder(async (folder) => {
    const broken = join(folder, "broken.yaml")
    writeFileSync(broken, "KEY: s3cret: nobody\n  : knows")
    expect(secretIn("KEY", {})).toEqual({
      message: "the secret KEY is not set",
      hint: "set the environment variable MILLRACE_SECRET_KEY, or MILLRACE_SECRET_KEY_FILE to the file that has it"
    })
    expect(secretIn("KEY", { MILLRACE_SECRET_KEY_FILE: join(folder, "none") })).toMatchObject({
      message: `${join(folder, "none")}, which MILLRACE_SECRET_KEY_FILE names, cannot be read: ENOENT`
    })
    const said = JSON.stringify(secretIn("KEY", { MILLRACE_SECRETS_FILE: broken }))
    expect(said).toContain("is not YAML")
    expect(said).not.toMatch(/s3cret|knows/)
    writeFileSync(broken, "- s3cret")
    expect(secretIn("KEY", { MILLRACE_SECRETS_FILE: broken })).toMatchObject({
      message: `${broken}, which MILLRACE_SECRETS_FILE names, is not a mapping of names to secrets`
    })
  }))
