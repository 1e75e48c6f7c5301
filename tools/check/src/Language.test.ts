import { describe, expect, it } from 'vitest'
import * as Check from './Check.ts'
import { language } from './rules/Language.ts'
import * as Workspace from './Workspace.ts'

const HEX = 'packages/codec/src/Hex.ts'
const HELD = 'tools/check/language.json'

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

  it('accepts the number of phrases to which a folder is held', async () => {
    const held = (gone: number) => JSON.stringify({ 'packages/codec': { gone } })
    const texts = { [HEX]: '// It is go|ne.\n// This is go|ne too.' }
    expect(await violations({ ...texts, [HELD]: held(2) })).toEqual([])
    expect(await violations({ ...texts, [HELD]: held(1) })).toHaveLength(2)
    expect(await violations({ ...texts, [HELD]: held(3) })).toEqual([
      `${HELD} packages/codec: "go|ne" is used 2 times, but the folder is held to 3; lower the number`.replace(
        '|',
        '',
      ),
    ])
  })

  it('reports a held folder without phrases', async () => {
    const held = JSON.stringify({ 'packages/absent': { gone: 1 } })
    expect(await violations({ [HELD]: held })).toEqual([expect.stringContaining('lower the number')])
  })
})
