import { describe, expect, it } from 'vitest'
import * as Check from './Check.ts'
import { language } from './rules/Language.ts'
import * as Workspace from './Workspace.ts'

const HEX = 'packages/codec/src/Hex.ts'

/** The phrases are written with a bar, because the rule checks this file too. */
async function violations(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const plain = Object.entries(texts).map(([path, text]) => [path, text.replaceAll('|', '')])
  const [outcome] = await Check.run(Workspace.fromTexts(Object.fromEntries(plain)), [language])
  return (outcome?.violations ?? []).map(({ where, message }) => `${where} ${message}`)
}

describe('language', () => {
  it.each([
    ['a comment', '// Whether the webhook is to|ld of it.'],
    ['a docstring', '/**\n * Returns what is k|nown of a peer.\n */'],
    ['an error', "throw new HexError('the file is not kept any m|ore')"],
    ['a template', 'const text = `$' + '{name} is go|ne`'],
    ['a test title', "it('has a queue of its o|wn', () => {})"],
    ['a possessive over two lines', '/**\n * Has a queue of its o|wn\n * and a log.\n */'],
    ['a comment over two lines', '/**\n * The bytes are th|ose\n * of the node.\n */'],
    ['a comparison', '// The bytes are th|ose of the node.'],
  ])('finds a phrase in %s', async (_, text) => {
    const found = await violations({ [HEX]: `\n${text}\n` })
    expect(found).toEqual([expect.stringMatching(/^packages\/codec\/src\/Hex\.ts:[23] ".*": write /)])
  })

  it('finds a phrase in a document, with its line', async () => {
    expect(await violations({ 'docs/pages/a.md': 'A\n\nThe export is go|ne.\n' })).toEqual([
      'docs/pages/a.md:3 "go|ne": write expired, closed, removed or disconnected'.replace('|', ''),
    ])
  })

  it.each([
    ['the name of an HTTP status', '// The node answers 410 Go|ne.'],
    ['code in a comment', '// Aborts `go|ne`.'],
    ['names', 'const to|ld = 1'],
    ['strings of one word', "new Error('go|ne')"],
    ['a possessive', '// The validators of its o|wn subnet.'],
  ])('accepts %s', async (_, text) => {
    expect(await violations({ [HEX]: text })).toEqual([])
  })

  it.each(['packages/codec/api.md', 'packages/codec/vectors/a.md', '.changeset/a.md'])(
    'does not check %s',
    async (path) => expect(await violations({ [path]: 'It is go|ne.' })).toEqual([]),
  )
})
