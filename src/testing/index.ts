/** The public surface of `millrace/testing`: the laws as suites. */
export {}
