import { describe, expect, it } from 'vitest'
import * as Check from './Check.ts'
import * as Functions from './Functions.ts'
import { structure } from './rules/Structure.ts'
import * as Source from './Source.ts'
import * as Structure from './Structure.ts'
import * as Workspace from './Workspace.ts'

const HELD = 'tools/check/structure.json'
const PATH = 'packages/codec/src/Hex.ts'

const lines = (count: number) => Array.from({ length: count }, () => '  run()').join('\n')
const measured = (code: string) => Functions.measure(Source.parse(PATH, code))
const named = (code: string, name: string) => measured(code).find((one) => one.name === name)

const found = async (code: string, held: object = {}, path = PATH): Promise<string> => {
  const texts = { [path]: code, [HELD]: JSON.stringify(held) }
  const outcomes = await Check.run(Workspace.fromTexts(texts), [structure])
  return outcomes.flatMap(({ violations }) => violations.map((v) => `${v.where} ${v.message}`)).join('\n')
}

const PLANTED: readonly (readonly [Structure.Kind, string, string])[] = [
  ['long functions', `const parse = () => {\n${lines(79)}\n}`, 'parse: 81 lines'],
  ['complex functions', `const parse = (a) => ${Array(16).fill('a').join(' || ')}`, 'parse: 16 paths'],
  ['long files', `${'export {}\n'.repeat(351)}`, '351 lines'],
  ['casts', 'const row = given as unknown as Row', 'given as unknown as Row: 1 cast'],
  ['casts', 'const row = given as any', 'given as any: 1 cast'],
  ['rows by hand', 'const rows = sql<Row>`select id from tx`', '1 statement'],
  ['rows by hand', 'const rows = session.sql<{ id: string }>`select id from tx`', '1 statement'],
]

describe('the structure rule', () => {
  it.each(PLANTED)('rejects %s (case %#)', async (_, code, message) => {
    expect(await found(code)).toContain(message)
  })

  it.each(PLANTED)(
    'accepts %s in a test, and where the folder is held to one (case %#)',
    async (kind, code) => {
      expect(await found(code, {}, 'packages/codec/src/Hex.test.ts')).toBe('')
      expect(await found(code, { 'packages/codec': { [kind]: 1 } })).toBe('')
    },
  )

  it.each(PLANTED)('rejects a held number of %s that is too high (case %#)', async (kind, code) => {
    expect(await found(code, { 'packages/codec': { [kind]: 2 } })).toContain(`1 ${kind} are left of 2`)
  })

  it('rejects a further place of a folder that is held to fewer', async () => {
    const text = await found('const a = b as any\nconst c = d as any', { 'packages/codec': { casts: 1 } })
    expect(text).toBe('packages/codec 2 casts, but the folder is held to 1; npm run structure lists them')
  })

  it('rejects a held number of a folder without sources', async () => {
    expect(await found('', { 'packages/absent': { casts: 1 } })).toContain('packages/absent has no sources')
  })

  it('accepts values at the limits', async () => {
    const paths = `const parse = (a) => ${Array(15).fill('a').join(' && ')}`
    expect(await found(`${paths}\nconst read = () => {\n${lines(78)}\n}`)).toBe('')
    expect(await found('export {}\n'.repeat(350))).toBe('')
  })
})

describe('lines of a function', () => {
  it.each([
    ['written in the object that it returns', `return { read() {\n${lines(40)}\n} }`],
    ['with a name that the returned object lists', `const read = () => {\n${lines(40)}\n}\nreturn { read }`],
    ['declared as a function', `function read() {\n${lines(40)}\n}\nreturn { read }`],
    ['in an object inside the returned one', `return { inner: { read: () => {\n${lines(40)}\n} } }`],
    ['of an object whose type is asserted', `return { read() {\n${lines(40)}\n} } as Reader`],
  ])('does not count a method %s', (_, body) => {
    const code = `function create() {\n${lines(50)}\n${body}\n}`
    expect(named(code, 'create')?.lines).toBeLessThan(60)
    expect(named(code, 'read')?.lines).toBe(42)
  })

  it('counts the functions that it does not return', () => {
    const code = `function create() {\nconst read = () => {\n${lines(40)}\n}\nreturn { size: read() }\n}`
    expect(named(code, 'create')?.lines).toBe(45)
  })

  it('counts a method once that is listed twice', () => {
    const code = `const create = () => {\nconst read = () => {\n${lines(5)}\n}\nreturn { read, again: read }\n}`
    expect(named(code, 'create')?.lines).toBe(3)
  })
})

describe('paths of a function', () => {
  it.each([
    ['if (a) b()', 2],
    ['if (a) b()\nelse if (c) d()', 3],
    ['for (const a of b) c()\nfor (;;) d()\nfor (const e in f) g()', 4],
    ['while (a) b()\ndo c()\nwhile (d)', 3],
    ['switch (a) { case 1: case 2: b(); break; default: c() }', 3],
    ['return a ? b : c', 2],
    ['return (a && b) || (c ?? d)', 4],
    ['a ??= b', 2],
    ['return () => (a ? b : c)', 1],
    ['return a?.b', 1],
  ])('counts the paths of %s as %d', (body, paths) => {
    expect(named(`function one() {\n${body}\n}`, 'one')?.complexity).toBe(paths)
  })
})

describe('lines of code', () => {
  it('counts lines of a template, but no comments, blank lines or tests', () => {
    const code = '/**\n * Doc.\n */\n\nconst a = 1 // one\n/* two */ const b = `\n// text\n`\n'
    const sources = [Source.parse(PATH, code), Source.parse('packages/codec/src/Hex.test.ts', code)]
    expect(Structure.measure(sources).get('packages/codec')?.lines).toBe(4)
  })

  it('lists each folder and the sum', () => {
    const sources = ['packages/codec/src/Hex.ts', 'tools/cli/src/Hex.ts'].map((path) =>
      Source.parse(path, 'const a = b as any\n'),
    )
    const text = Structure.format(Structure.measure(sources))
    expect(text).toContain('| tools/cli | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 0 |')
    expect(text).toContain('| all | 2 | 0 | 0 | 0 | 2 | 0 | 0 | 0 |')
    expect(text).toContain('1  tools/cli/src/Hex.ts:1  b as any')
  })
})
