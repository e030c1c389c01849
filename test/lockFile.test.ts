import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

interface Locked {
  readonly version: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", file), "utf8"))

/** The package that a package gets when it asks for a name: of its own folder, or of a folder around it. */
const nearest = (packages: Readonly<Record<string, Locked>>, folder: string, name: string): Locked | undefined => {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const found = packages[`${at === "" ? "" : `${at}/`}node_modules/${name}`]
    if (found !== undefined || at === "") return found
  }
}

it("has for each peer a version that its package accepts, because npm 10 refuses to install anything else", () => {
  const packages: Readonly<Record<string, Locked>> = read("package-lock.json").packages
  const overrides: Readonly<Record<string, Readonly<Record<string, string>>>> = read("package.json").overrides ?? {}
  const wrong = Object.entries(packages).flatMap(([folder, { peerDependencies = {} }]) =>
    Object.entries(peerDependencies).flatMap(([name, range]) => {
      const { version } = nearest(packages, folder, name) ?? {}
      const majors = [...range.matchAll(/(?<![\d.])(\d+)(?:\.|$|\s)/g)].map(([, major]) => major)
      const isAccepted = majors.length === 0 || range.includes(">") || majors.includes(version?.split(".")[0])
      const isOurs = overrides[folder.split("node_modules/").at(-1) ?? ""]?.[name] !== undefined
      return version === undefined || isAccepted || isOurs
        ? []
        : [`${folder} wants ${name} ${range} and gets ${version}`]
    })
  )

  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

it("has the packages of all platforms, here and in bench, because npm ci refuses a lock file that lacks one", () => {
  for (const file of ["package-lock.json", "bench/package-lock.json"]) {
    const packages: Readonly<Record<string, Locked>> = read(file).packages
    const lacking = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => nearest(packages, folder, name) === undefined)
    )

    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expect(lacking).toEqual([])
  }
})

it("accepts the Node that installs it: any from 20 on, because a checkout brings its own and the command says what it needs", () => {
  const { engines } = read("package.json")

  expect(engines).toEqual({ node: ">=20" })
  expect(read("package-lock.json").packages[""].engines).toEqual(engines)
})
