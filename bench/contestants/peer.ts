/** A library that is installed by `npm ci` in `bench/`, by its name; types are checked without it. */
export const peer = async (name: string): Promise<any> => {
  const specifier = name
  try {
    return await import(specifier)
  } catch (cause) {
    throw new Error(`${name} is not there: run "npm ci" in bench/`, { cause })
  }
}
