import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import * as Check from './Check.ts'
import { BROWSER_SAFE, TABLE } from './Directions.ts'
import * as Fences from './Fences.ts'
import type { Rule } from './Rule.ts'
import { browserSafety } from './rules/BrowserSafety.ts'
import { measure, withLimits } from './rules/BundleSizes.ts'
import { documents } from './rules/Documents.ts'
import { coverage, examples } from './rules/Examples.ts'
import { house } from './rules/House.ts'
import { idSpelling } from './rules/IdSpelling.ts'
import { imports } from './rules/Imports.ts'
import { machineTraces } from './rules/MachineTraces.ts'
import { manifests } from './rules/Manifests.ts'
import { readmes } from './rules/Readmes.ts'
import { vectorSizes } from './rules/VectorSizes.ts'
import * as Workspace from './Workspace.ts'

type Texts = Readonly<Record<string, string>>

const manifest = (name: string, rest: object = {}) => JSON.stringify({ name: `@firn/${name}`, ...rest })
const references = (...paths: string[]) => JSON.stringify({ references: paths.map((path) => ({ path })) })

/** A correct workspace of two packages, in which bls uses codec. */
const good: Texts = {
  'package.json': JSON.stringify({ devDependencies: { vitest: '1' } }),
  'tsconfig.json': references('packages/codec', 'packages/bls'),
  'packages/codec/package.json': manifest('codec'),
  'packages/codec/tsconfig.json': references(),
  'packages/codec/src/index.ts': 'export const one = 1\n',
  'packages/bls/package.json': manifest('bls', { dependencies: { '@firn/codec': 'workspace:*' } }),
  'packages/bls/tsconfig.json': references('../codec'),
  'packages/bls/src/index.ts': "export * from '@firn/codec'\n",
  'packages/bls/src/index.test.ts': "import { test } from 'vitest'\ntest('x', () => {})\n",
}

const found = async (rule: Rule, changes: Texts = {}): Promise<string> => {
  const outcomes = await Check.run(Workspace.fromTexts({ ...good, ...changes }), [rule])
  return outcomes.flatMap(({ violations }) => violations.map((v) => `${v.where} ${v.message}`)).join('\n')
}

describe('a correct workspace', () => {
  test.each([imports, manifests, browserSafety, house, machineTraces, vectorSizes])(
    'reports no violation of the rule "$name"',
    async (rule) => expect(await found(rule)).toBe(''),
  )
})

describe('id spelling', () => {
  test.each([
    ['a variable', 'const nodeID = 1'],
    ['a variable in a destructuring pattern', 'const { nodeID } = given'],
    ['a parameter', 'const read = (nodeID: string) => nodeID'],
    ['a parameter of a method', 'class A { read({ a: [nodeID = 1] }) {} }'],
    ['a function', 'function nodeID() {}'],
    ['the rest of a list', 'const [...nodeID] = given'],
    ['a type with bytes', 'type A = { readonly nodeID?: Uint8Array }'],
    ['the type of a parameter', 'const a = (b: { nodeID: number }) => b'],
    ['a class field', 'class A { nodeID = 1 }'],
    ['the details of an error', 'const a = { details: { nodeID: 1 } }'],
    ['SQL', 'const a = `select node_id as "nodeID" from staker`'],
  ])('rejects the wire spelling of an id in %s', async (_, code) => {
    const text = await found(idSpelling, { 'packages/codec/src/index.ts': code })
    expect(text).toBe('packages/codec/src/index.ts:1 expected nodeId, got nodeID')
  })

  test.each([
    'export const layout = { nodeID: 1 }',
    'const { nodeID: nodeId } = given',
    'export const id = given.nodeID',
    'interface Answer { readonly nodeID: string; readonly subnetIDs: unknown }',
    'type Params = { details: { nodeID: string } }',
    'const VALID = 1',
  ])('accepts the wire spelling of an id in the code %s', async (code) => {
    expect(await found(idSpelling, { 'packages/codec/src/index.ts': code })).toBe('')
  })
})

describe('imports', () => {
  test.each([
    ['a value import', "import { x } from '@firn/bls'"],
    ['a type import', "import type { X } from '@firn/bls'"],
    ['a re-export', "export * from '@firn/bls/noble'"],
    ['a dynamic import', "export const x = await import('@firn/bls')"],
    ['a type expression', "export type X = import('@firn/bls').X"],
    ['a side effect', "import '@firn/bls'"],
  ])('rejects %s that the dependency table forbids, and names both packages', async (_, code) => {
    const text = await found(imports, { 'packages/codec/src/index.ts': code })
    expect(text).toContain('packages/codec/src/index.ts:1 @firn/codec must not import @firn/bls')
  })

  test('allows tests only the imports that the table lists for tests', async () => {
    const p2p = {
      'packages/p2p/package.json': manifest('p2p', { devDependencies: { '@firn/bls': 'workspace:*' } }),
      'packages/p2p/src/a.test.ts': "import '@firn/bls'",
    }
    expect(await found(imports, p2p)).toBe('')
    const wrong = await found(imports, { ...p2p, 'packages/p2p/src/a.ts': "import '@firn/bls'" })
    expect(wrong).toContain('packages/p2p/src/a.ts:1 @firn/p2p must not import @firn/bls')
    const warp = { 'packages/codec/src/a.test.ts': "import '@firn/bls'" }
    expect(await found(imports, warp)).toContain('@firn/codec must not import @firn/bls')
  })

  test('rejects an import of another package by a relative path', async () => {
    const text = await found(imports, {
      'packages/codec/src/index.ts': "export * from '../../bls/src/index.ts'",
    })
    expect(text).toContain('@firn/codec imports from packages/bls')
  })

  test('rejects an undeclared library, and a source that imports a development dependency', async () => {
    expect(await found(imports, { 'packages/codec/src/index.ts': "import 'left-pad'" })).toContain('left-pad')
    expect(await found(imports, { 'packages/codec/src/index.ts': "import 'vitest'" })).toContain('vitest')
  })

  test('ignores imports in comments and strings', async () => {
    const code = "// import '@firn/bls'\nexport const text = `import '@firn/bls'`\n"
    expect(await found(imports, { 'packages/codec/src/index.ts': code })).toBe('')
  })
})

describe('manifests', () => {
  test('rejects a package.json dependency that the dependency table forbids', async () => {
    const changes = {
      'packages/codec/package.json': manifest('codec', { dependencies: { '@firn/bls': 'workspace:*' } }),
    }
    expect(await found(manifests, changes)).toContain('@firn/codec lists @firn/bls in dependencies')
  })

  test('rejects tsconfig.json references that do not match the dependencies', async () => {
    expect(await found(manifests, { 'packages/bls/tsconfig.json': references() })).toContain(
      'no reference to it',
    )
    const extra = { 'packages/codec/tsconfig.json': references('../bls') }
    expect(await found(manifests, extra)).toContain("@firn/codec's tsconfig.json refers to packages/bls")
    expect(await found(manifests, { 'tsconfig.json': references('packages/codec') })).toContain('never built')
  })

  test('rejects an unused dependency and a package missing from the dependency table', async () => {
    expect(await found(manifests, { 'packages/bls/src/index.ts': '' })).toContain('no source imports it')
    expect(await found(manifests, { 'packages/new/package.json': manifest('new') })).toContain('has no row')
  })

  test('has a dependency table without cycles', () => {
    const visit = (folder: string, path: readonly string[]): void => {
      expect(path).not.toContain(folder)
      for (const next of TABLE[folder]?.sources ?? []) visit(next, [...path, folder])
    }
    for (const folder of Object.keys(TABLE)) visit(folder, [])
    for (const folder of BROWSER_SAFE) expect(TABLE).toHaveProperty([folder])
  })
})

describe('browser safety', () => {
  test.each([
    ["import { readFile } from 'node:fs'", 'imports node:fs'],
    ["import type { Socket } from 'net'", 'imports net'],
    ['export const x = Buffer.from([1])', 'uses Buffer'],
    ['export const x = process.platform', 'uses process'],
    ['export const x = globalThis.process', 'uses process'],
    ['export const x = { process }', 'uses process'],
  ])('rejects a browser-safe source with the code %s', async (code, message) => {
    expect(await found(browserSafety, { 'packages/codec/src/index.ts': code })).toContain(message)
  })

  test("ignores test files, packages for Node, and properties named like Node's globals", async () => {
    const code = 'export const x = { process: 1, Buffer: 2 }\nexport const y = x.process\n'
    const changes = {
      'packages/codec/src/index.ts': code,
      'packages/codec/src/a.test.ts': "import 'node:fs'",
      'packages/p2p/src/index.ts': "import 'node:tls'",
    }
    expect(await found(browserSafety, changes)).toBe('')
  })
})

describe('code rules', () => {
  const bareError = 'Error'
  test.each([
    ['packages/codec/src/index.ts', `throw new ${bareError}('x')`, 'bare error'],
    ['services/aggregator/src/index.ts', `throw new Type${bareError}('x')`, 'bare error'],
    ['packages/codec/src/a.test.ts', "test.only('x', () => {})", 'marked .only'],
    ['packages/codec/src/a.test.ts', "describe.skip('x', () => {})", 'marked .skip'],
    ['packages/codec/src/index.ts', `// ${'TO'}${'DO'}: later`, 'unfinished'],
    ['packages/codec/src/index.ts', 'export {}\n'.repeat(501), '501 lines'],
  ])('rejects the code in %s (case %#)', async (path, code, message) => {
    expect(await found(house, { [path]: code })).toContain(message)
  })

  test('accepts a 500-line file, typed errors and conditionally skipped tests', async () => {
    const changes = {
      'packages/codec/src/index.ts': 'export {}\n'.repeat(500),
      'packages/codec/src/a.ts': "throw new CodecError('CODEC', 'x')",
      'packages/codec/src/a.test.ts': "test.skipIf(!shared)('x', () => {})",
    }
    expect(await found(house, changes)).toBe('')
  })
})

describe('machine traces', () => {
  test.each([
    ['README.md', `see ${'/ho'}me/ann/firn`],
    ['packages/codec/src/index.ts', `export const x = '${'/t'}mp/firn'`],
    ['.npmrc', `registry=https://${'regis'}try.example.org/`],
  ])('rejects a machine path or registry host in %s: %s', async (path, text) => {
    expect(await found(machineTraces, { [path]: text })).toContain(`${path}:1`)
  })

  test('accepts routes and relative paths that resemble machine paths', async () => {
    const text = "export const route = '/ext/bc/P'\nexport const at = '../shared/work/x'\n"
    expect(await found(machineTraces, { 'packages/codec/src/index.ts': text })).toBe('')
  })
})

describe('code examples', () => {
  const library = (texts: Texts) => {
    const exported = { exports: { '.': { source: './src/index.ts' } } }
    const workspace = Workspace.fromTexts({
      'packages/codec/package.json': manifest('codec', exported),
      'packages/codec/src/index.ts': "export * as Hex from './Hex.ts'\n",
      ...Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [`packages/codec/src/${name}`, text]),
      ),
    })
    const [found] = coverage(Check.parse(workspace))
    return (found?.violations ?? []).map(({ where, message }) => `${where} ${message}`)
  }
  const documented = (tags: string, code: string) => `/**\n * Returns.\n *\n * ${tags}\n */\n${code}\n`
  const example = '@example\n * ```ts\n * Hex.decode(1)\n * ```'
  const missing = 'Hex.decode can throw, but has no @throws'

  test('reports a function without an example', () => {
    const [message, ...others] = library({ 'Hex.ts': documented('', 'export const encode = () => 1') })
    expect(message).toBe(
      'packages/codec/src/Hex.ts:6 Hex.encode has no @example with a ```ts fence that calls the function',
    )
    expect(others).toEqual([])
  })

  test('reports a function whose example does not call it', () => {
    const text = documented(example, 'export function encode() {}')
    expect(library({ 'Hex.ts': text }).join()).toContain('Hex.encode has no @example')
  })

  test.each([
    ['throws itself', 'export const decode = (x) => { if (x) throw new CodecError() }'],
    [
      'calls a function of its module that throws',
      'export const decode = (x) => fail(x)\nfunction fail() { throw 1 }',
    ],
    ['calls an imported function', "import { fail } from './Fail.ts'\nexport const decode = (x) => fail(x)"],
    [
      'calls through a namespace',
      "import * as Fail from './Fail.ts'\nexport const decode = (x) => Fail.fail(x)",
    ],
    ['throws in a callback', 'export const decode = (x) => x.map(() => { throw 1 })'],
    ['throws in a handler', 'export const decode = () => { try { a() } catch (cause) { throw cause } }'],
  ])('requires @throws for a function that %s', (_, code) => {
    const [first, rest] = [code.slice(0, code.lastIndexOf('export')), code.slice(code.lastIndexOf('export'))]
    const texts = { 'Fail.ts': 'export const fail = () => { throw 1 }' }
    expect(library({ ...texts, 'Hex.ts': `${first}${documented(example, rest)}` }).join()).toContain(missing)
    expect(
      library({ ...texts, 'Hex.ts': `${first}${documented(`@throws x\n * ${example}`, rest)}` }),
    ).toEqual([])
  })

  test.each([
    ['catches what it calls', 'export const decode = () => { try { throw 1 } catch { return 2 } }'],
    ['returns a function that throws', 'export const decode = () => ({ run() { throw 1 } })'],
  ])('does not require @throws for a function that %s', (_, code) => {
    expect(library({ 'Hex.ts': documented(example, code) })).toEqual([])
  })

  test('does not require @throws for a function whose docstring says that it never throws', () => {
    const code = 'export const decode = (x) => { if (x) throw 1 }'
    expect(library({ 'Hex.ts': documented(`Never throws.\n * ${example}`, code) })).toEqual([])
  })
})

describe('documents', () => {
  const links = '[a](ARCHITECTURE.md) [c](CONTRIBUTING.md) [s](SECURITY.md)'
  const texts = {
    'README.md': `# Firn\n\n${links}`,
    'ARCHITECTURE.md': '',
    'CONTRIBUTING.md': 'See [links](README.md#firn) and `packages/codec/src/index.ts`.',
    'SECURITY.md': '',
  }

  test.each([
    ['CONTRIBUTING.md', '[a](packages/absent.md)', 'CONTRIBUTING.md:1 the path packages/absent.md'],
    ['CONTRIBUTING.md', '[a](README.md#absent)', 'CONTRIBUTING.md:1 the path README.md#absent'],
    ['SECURITY.md', '\n`tools/absent/src`', 'SECURITY.md:2 the path tools/absent/src'],
    ['README.md', 'no links', 'README.md the README has no link to SECURITY.md'],
  ])('reports a document problem in %s (case %#)', async (file, text, message) => {
    expect(await found(documents, { ...texts, [file]: text })).toContain(message)
  })

  test('reports a missing document', async () => {
    expect(await found(documents, {})).toContain('SECURITY.md is missing')
  })
})

test('rejects vector files of more than 8 MiB in total', async () => {
  const half = 'x'.repeat(5 << 20)
  const changes = { 'packages/codec/vectors/a.json': half, 'packages/bls/vectors/b.json': half }
  expect(await found(vectorSizes, changes)).toContain('the vectors take 10485760 bytes')
})

describe('rules that run other tools', () => {
  const parent = fileURLToPath(new URL('../.firn', import.meta.url))
  mkdirSync(parent, { recursive: true })
  const root = mkdtempSync(join(parent, 'fixture-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const exported = { exports: { '.': { source: './src/index.ts', types: './src/index.ts' } }, type: 'module' }
  const base = {
    compilerOptions: { module: 'nodenext', strict: true, skipLibCheck: true, customConditions: ['source'] },
  }
  const write = (texts: Texts): Texts => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return texts
  }
  const fixture = (readme: string): Texts =>
    write({
      'tsconfig.base.json': JSON.stringify({
        compilerOptions: { ...base.compilerOptions, allowImportingTsExtensions: true },
      }),
      'packages/codec/package.json': manifest('codec', exported),
      'packages/codec/src/index.ts': "export const one = 1\nexport const big = 'x'.repeat(2)\n",
      'packages/codec/README.md': readme,
    })
  const read = async (readme: string): Promise<string> => {
    const [outcome] = await Check.run(Workspace.fromTexts(fixture(readme), root), [readmes])
    return (outcome?.violations ?? []).map((v) => `${v.where} ${v.message}`).join('\n')
  }

  const fence = (code: string) => `\n\`\`\`ts\n${code}\n\`\`\`\n`
  const sound = "import { one } from '@firn/codec'\nconst two: number = one + 1"

  test('returns the TypeScript examples of a README with their line numbers', () => {
    expect(Fences.inMarkdown(`# codec\n${fence(sound)}`)).toEqual([{ code: `${sound}\n`, line: 4 }])
  })

  test('compiles README examples, and reports compiler errors with their lines in the README', async () => {
    expect(await read(`# codec\n${fence(sound)}`)).toBe('')
    const wrongType = fence(sound.replace('number', 'string'))
    const wrongName = fence(sound.replace('one }', 'none }'))
    const text = await read(`# codec\n${wrongType}${wrongName}`)
    expect(text).toContain('packages/codec/README.md:5 TS2322')
    expect(text).toContain('packages/codec/README.md:9 TS2724')
  })

  test('reports file, line and function of an example that does not compile', async () => {
    const path = 'packages/codec/src/one.ts'
    const fence = ' * @example\n * ```ts\n * const x: string = one\n * ```'
    const texts = { ...fixture('# codec\n'), [path]: `/**\n${fence}\n */\nexport const one = 1\n` }
    const [outcome] = await Check.run(Workspace.fromTexts(texts, root), [examples])
    expect(outcome?.violations).toContainEqual({
      where: `${path}:4`,
      message: expect.stringMatching(/^one: TS2304/),
    })
  })

  test('requires a README to have an example that imports its own package', async () => {
    expect(await read('# codec\n')).toContain('no ```ts example')
    expect(await read(`# codec\n${fence('const one = 1')}`)).toContain('imports @firn/codec')
  })

  test('reports a package without a README', async () => {
    const outcomes = await Check.run(Workspace.fromTexts(good, root), [readmes])
    expect(Check.format(outcomes)).toContain('@firn/bls has no README')
  })

  test('measures the size of browser bundles, and reports modules that a browser cannot load', async () => {
    write(fixture('# codec\n'))
    const small = await measure(root, { code: "export { one } from '@firn/codec'", from: 'packages/codec' })
    const whole = await measure(root, { code: "export * from '@firn/codec'", from: 'packages/codec' })
    expect(small.problems).toEqual([])
    expect(small.bytes).toBeGreaterThan(0)
    expect(whole.bytes).toBeGreaterThan(small.bytes)
    const node = await measure(root, {
      code: "import fs from 'node:fs'; export { fs }",
      from: 'packages/codec',
    })
    expect(node.problems).toEqual(["the browser's bundle loads node:fs"])
    const bare = await measure(root, { code: "import fs from 'fs'; export { fs }", from: 'packages/codec' })
    expect(bare.problems.join()).toContain('fs')
    const absent = await measure(root, { code: "export * from '@firn/absent'", from: 'packages/codec' })
    expect(absent.problems.join()).toContain('@firn/absent')
  })

  test('reports a bundle above its limit, and a package without a limit', async () => {
    const workspace = Workspace.fromTexts(fixture('# codec\n'), root)
    const one = { name: 'one alone', code: "export { one } from '@firn/codec'", from: 'packages/codec' }
    const run = async (limit: number) =>
      Check.format(await Check.run(workspace, [withLimits([{ ...one, limit }])]))
    expect(await run(5)).toMatch(/one alone {2}\d+ B gzipped, above the limit of 5 B/)
    expect(await run(1_000)).not.toContain('above the limit')
    expect(await run(1_000)).toContain('codec: whole package  the bundle has no limit')
  })
})
