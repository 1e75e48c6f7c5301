import { describe, expect, it } from 'vitest'
import * as Check from './Check.ts'
import { FLOORS } from './Directions.ts'
import type { Rule } from './Rule.ts'
import { diagrams } from './rules/Diagrams.ts'
import { floors } from './rules/Floors.ts'
import { structure } from './rules/Structure.ts'
import * as Workspace from './Workspace.ts'

type Texts = Readonly<Record<string, string>>

const SERVICE = 'services/aggregator'
const SRC = `${SERVICE}/src`
const declared = (FLOORS[SERVICE] ?? []).map((floor) => floor.filter((unit) => !unit.endsWith('.ts')))
const folders = declared.filter((floor) => floor.length > 0)
/** A folder on the lowest floor, and two above it. */
const [low = '', middle = '', high = ''] = folders.map(([folder]) => folder)

/** A service with one file in each declared folder, and each declared file. */
const service: Texts = {
  [`${SERVICE}/package.json`]: JSON.stringify({ name: '@firn/aggregator' }),
  ...Object.fromEntries(
    (FLOORS[SERVICE] ?? [])
      .flat()
      .map((unit) => [`${SRC}/${unit.endsWith('.ts') ? unit : `${unit}/One.ts`}`, 'export const one = 1\n']),
  ),
  [`${SRC}/Main.ts`]: `import { one } from './${high}/One.ts'\n`,
}

const found = async (rule: Rule, changes: Texts = {}): Promise<string> => {
  const outcomes = await Check.run(Workspace.fromTexts({ ...service, ...changes }), [rule])
  return outcomes.flatMap(({ violations }) => violations.map((v) => `${v.where} ${v.message}`)).join('\n')
}

const importing = (folder: string, ...targets: string[]): Texts => ({
  [`${SRC}/${folder}/One.ts`]: targets.map((target) => `import '../${target}'\n`).join(''),
})

describe('floors', () => {
  it('accepts a service whose folders import from lower floors', async () => {
    const changes = {
      ...importing(high, `${middle}/One.ts`, `${low}/One.ts`),
      ...importing(middle, `${low}/One.ts`),
    }
    expect(await found(floors, changes)).toBe('')
    expect(await found(structure, changes)).toBe('')
  })

  it('rejects an import from a higher floor', async () => {
    const text = await found(structure, importing(low, `${high}/One.ts`))
    expect(text).toContain(
      `${SRC}/${low}/One.ts:1 ${low} -> ${high}: 1 import that does not point to a lower floor`,
    )
  })

  it('rejects a type import from a higher floor', async () => {
    const changes = { [`${SRC}/${low}/One.ts`]: `import type { One } from '../${high}/One.ts'\n` }
    expect(await found(structure, changes)).toContain(`${low} -> ${high}`)
  })

  it('rejects one import of a circle', async () => {
    const changes = { ...importing(middle, `${low}/One.ts`), ...importing(low, `${middle}/One.ts`) }
    expect(await found(structure, changes)).toMatch(/^\S+One\.ts:1 \S+ -> \S+: 1 import/)
  })

  it('rejects an import of a file above all floors', async () => {
    expect(await found(structure, importing(high, 'Main.ts'))).toContain(`${high} -> src`)
  })

  it('rejects an import of tests', async () => {
    expect(await found(structure, importing(high, 'testing/Network.ts'))).toContain(`${high} -> testing`)
  })

  it('rejects a folder without a floor', async () => {
    const text = await found(floors, { [`${SRC}/extra/One.ts`]: '' })
    expect(text).toBe(`${SRC}/extra has no floor; add it to FLOORS in tools/check/src/Directions.ts`)
  })

  it('rejects a floor without a folder', async () => {
    const { [`${SRC}/${low}/One.ts`]: _, ...rest } = service
    const outcomes = await Check.run(Workspace.fromTexts(rest), [floors])
    expect(outcomes[0]?.violations[0]?.message).toBe(`${SRC} has no ${low}; remove it from FLOORS`)
  })

  it('rejects a service without floors', async () => {
    const changes = { 'services/extra/package.json': '{}', 'services/extra/src/one/One.ts': '' }
    expect(await found(floors, changes)).toContain('services/extra/src/one has no floor')
  })

  it('ignores tests', async () => {
    const changes = { [`${SRC}/extra/One.test.ts`]: `import '../Main.ts'\n`, [`${SRC}/testing/One.ts`]: '' }
    expect(await found(floors, changes)).toBe('')
    expect(await found(structure, changes)).toBe('')
  })
})

describe('files of a folder', () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count - 1 }, (_, at) => [`${SRC}/${low}/File${at}.ts`, 'export {}\n']),
    )

  it('may be 25, besides tests', async () => {
    expect(await found(structure, { ...files(25), [`${SRC}/${low}/One.test.ts`]: '' })).toBe('')
    expect(await found(structure, files(26))).toContain(`${SRC}/${low}:1 26 files, but a folder`)
  })
})

describe('diagrams', () => {
  const place = (name: string, body = '') => `<!-- imports: ${name} -->\n${body}<!-- /imports -->\n`
  const packages = {
    'packages/codec/package.json': JSON.stringify({ name: '@firn/codec' }),
    'packages/codec/src/index.ts': 'export {}\n',
    'packages/bls/package.json': JSON.stringify({ name: '@firn/bls' }),
    'packages/bls/src/index.ts': "import '@firn/codec'\n",
    [`${SRC}/Main.ts`]: "import '@firn/bls'\nimport type { One } from '@firn/codec/one'\n",
  }
  const drawn = [
    '```mermaid',
    'flowchart BT',
    '  subgraph packages',
    '    bls --> codec',
    '    codec',
    '  end',
    '  subgraph services',
    '    aggregator --> bls',
    '  end',
    '```\n',
  ].join('\n')
  const own = [...folders.flat(), 'aggregator']
  const alone = (edges: Readonly<Record<string, string>>) =>
    [
      '```mermaid',
      'flowchart BT',
      ...own.toReversed().map((folder) => `  ${edges[folder] ?? folder}`),
      '```\n',
    ].join('\n')

  it('accepts diagrams with all imports, except for imports that follow from others', async () => {
    const inside = importing(middle, `${low}/One.ts`)
    const edges = { [middle]: `${middle} --> ${low}`, aggregator: `aggregator --> ${middle}` }
    const main = `import './${middle}/One.ts'\nimport './${low}/One.ts'\nimport '@firn/bls'\n`
    const document = place('packages', drawn) + place(SERVICE, alone(edges))
    const changes = { ...packages, ...inside, [`${SRC}/Main.ts`]: main, 'ARCHITECTURE.md': document }
    expect(await found(diagrams, changes)).toBe('')
  })

  it('draws an upward import as a dotted arrow', async () => {
    const changes = { ...importing(low, `${high}/One.ts`), 'ARCHITECTURE.md': place(SERVICE, alone({})) }
    const text = await found(diagrams, { ...changes, [`${SRC}/Main.ts`]: '' })
    const lines = 'mermaid flowchart'.split(' ').length + own.length
    expect(text).toContain(`ARCHITECTURE.md:${lines + 2} the imports have changed; run npm run diagrams`)
  })

  it('rejects stale and absent diagrams', async () => {
    const document = place('packages', drawn.replace('bls --> codec', 'bls'))
    const text = await found(diagrams, { ...packages, 'ARCHITECTURE.md': document })
    expect(text).toContain('ARCHITECTURE.md:5 the imports have changed; run npm run diagrams')
    expect(text).toContain(`ARCHITECTURE.md has no diagram of ${SERVICE}; add <!-- imports: ${SERVICE} -->`)
  })
})
