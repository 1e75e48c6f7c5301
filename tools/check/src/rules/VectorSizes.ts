import type { Rule, Subject } from '../Rule.ts'

/** Maximum total size of all packages' vector files in a clone, in bytes. */
const LIMIT = 8 << 20

const run = ({ workspace }: Subject) => {
  const files = workspace.files.filter((path) => /^packages\/[^/]+\/vectors\//.test(path))
  const total = files.reduce((sum, path) => sum + workspace.size(path), 0)
  const message = `the vectors take ${total} bytes, but all together may take at most ${LIMIT}; gzip them or keep a subset`
  return {
    examined: `${files.length} files, ${(total / (1 << 20)).toFixed(2)} MiB`,
    violations: total > LIMIT ? [{ where: 'packages/*/vectors', message }] : [],
  }
}

/** Checks that the total size of all packages' vector files stays below the limit. */
export const vectorSizes: Rule = { name: 'vector sizes', run }
