import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { METRIC_NAMES } from './metrics/Metrics.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^(testing|http)\//.test(file))
  .map((file) => ({ file, text: readFileSync(`${folder}${file}`, 'utf8') }))

const declared = sources.flatMap(({ file, text }) =>
  [
    ...text.matchAll(/^export (?:async )?function (\w+)(?:<[^(]*>)?\([^{]*?\): (?:readonly )?Endpoint\b/gm),
  ].map((found) => ({ file, name: found[1] ?? '' })),
)

test('finds the source functions that return endpoints', () => {
  expect(declared.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['listSubnets', 'getSubnetById', 'listHolders', 'primaryNetworkEndpoints']),
  )
})

test.each(declared)(
  'finds a call of $name ($file) in another source file, so the endpoint is served',
  ({ file, name }) => {
    const calls = sources.filter(
      (other) => other.file !== file && new RegExp(`\\b${name}\\(`).test(other.text),
    )
    expect(calls.map((other) => other.file)).not.toEqual([])
  },
)

const readme = readFileSync(`${folder}../README.md`, 'utf8')

const paths = sources.flatMap(({ text }) =>
  [...text.matchAll(/^ +path: '(\/v\d[^']+)'/gm)].map(([, path]) => path ?? ''),
)

test('finds the endpoint paths in the source files', () => {
  expect(paths).toContain('/v1/networks/{network}/validators/{nodeId}')
})

test.each(paths)('mentions the last fixed path segment of %s in the README', (path) => {
  const literal = path.split(/[/:]|\{[^}]*\}/).findLast((part) => part !== '')
  expect(
    new RegExp(`[/:]${literal}\\b`).test(readme),
    `describe ${path} in services/data-api/README.md`,
  ).toBe(true)
})

test.each(METRIC_NAMES)('finds the metric %s in the README', (name) => {
  expect(readme.includes(`\`${name}\``), `describe ${name} in services/data-api/README.md`).toBe(true)
})
