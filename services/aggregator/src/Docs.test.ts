import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as ErrorTable from './errors/ErrorTable.ts'

/** Removes the padding that the formatter adds to table columns. */
const squeeze = (text: string) => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')
const read = (name: string) => squeeze(readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8'))

describe('docs/errors.md', () => {
  it('lists every error code with its status in docs/errors.md', () => {
    expect(read('errors.md')).toContain(squeeze(ErrorTable.markdownTable()))
  })

  it('lists in docs/errors.md exactly the codes that the service can return', () => {
    const codes = [...read('errors.md').matchAll(/`((?:AGGREGATOR|AGGREGATION|RPC)_[A-Z_]+)`/g)].map(
      ([, code]) => code,
    )
    expect(new Set(codes)).toEqual(new Set(Object.keys(ErrorTable.TABLE)))
  })
})

describe('docs/alerts.yml', () => {
  it('uses only metrics that the source code declares', () => {
    const prefix = 'signature_aggregator_'
    const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
      (name) => !name.endsWith('.test.ts'),
    )
    const source = files.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n')
    const names = [...new Set(read('alerts.yml').match(/signature_aggregator_\w+/g))]
    const isDeclared = (name: string) =>
      source.includes(`'${name}'`) || source.includes(`'${name.slice(prefix.length)}'`)
    expect([names.length > 0, names.filter((name) => !isDeclared(name))]).toEqual([true, []])
  })
})
