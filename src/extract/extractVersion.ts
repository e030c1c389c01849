/**
 * The version of the rules that fill schemas. A crawl that asks only for what has changed reads a page anew whose data other
 * rules have given. Raise it when the same page gives other data.
 */
export const rulesVersion = 5
