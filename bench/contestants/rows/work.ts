/**
 * One work in this process and what it took, as its last line.
 *
 * The figure counts from `begin`, which a work calls when what is not its own has been done; CPU seconds are user and
 * system of all threads.
 */
let began = process.cpuUsage()

export const begin = (): void => {
  began = process.cpuUsage()
}

export const tell = (count: number, unit = "rows"): void => {
  const { user, system } = process.cpuUsage(began)
  console.log(JSON.stringify({ count, figures: { [`${unit}/CPU s`]: count / ((user + system) / 1e6) } }))
}
