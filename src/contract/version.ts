/** The version of this package, which `millrace --version` prints. A test checks that package.json has the same. */
export const version = "0.1.0"
