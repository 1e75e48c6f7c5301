import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as ErrorTable from './ErrorTable.ts'

/** The formatter pads the columns of tables. */
const squeeze = (text: string) => text.replace(/ {2,}/g, ' ').replace(/-{3,}/g, '---')
const read = (name: string) => squeeze(readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8'))

describe('the documents match the code', () => {
  it('lists every error code with its status', () => {
    expect(read('errors.md')).toContain(squeeze(ErrorTable.markdownTable()))
  })

  it('lists no code twice, and none that the table lacks', () => {
    const codes = [...read('errors.md').matchAll(/`((?:AGGREGATOR|AGGREGATION|RPC)_[A-Z_]+)`/g)].map(
      ([, code]) => code,
    )
    expect(new Set(codes)).toEqual(new Set(Object.keys(ErrorTable.TABLE)))
  })
})
